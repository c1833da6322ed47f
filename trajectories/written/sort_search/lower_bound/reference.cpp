// Binary search for many queries in one sorted array.

void lower_bound_batch(int n, const int* keys, int queries, const int* query, int* position) {
    for (int q = 0; q < queries; ++q) {
        int low = 0, high = n;
        while (low < high) {
            int middle = low + (high - low) / 2;
            if (keys[middle] < query[q]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        position[q] = low;
    }
}
