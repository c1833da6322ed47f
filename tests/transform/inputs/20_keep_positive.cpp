// Copies the positive elements to the front, in order, and says how many there are.
void keep_positive(int n, const float* x, float* kept, int* count) {
    int used = 0;
    for (int i = 0; i < n; i++) {
        if (!(x[i] > 0.0f)) continue;
        kept[used++] = x[i];
    }
    count[0] = used;
}
