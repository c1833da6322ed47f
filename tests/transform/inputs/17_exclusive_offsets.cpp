// Where each bucket starts, from how many items it holds; the last entry is the total.
void exclusive_offsets(int buckets, const int* count, long long* offset) {
    long long running = 0;
    for (int b = 0; b < buckets; b++) {
        offset[b] = running;
        running += count[b];
    }
    offset[buckets] = running;
}
