// For each query the first place in the ascending table whose value is not less.
void lower_bounds(int table_length, int queries, const int* table, const int* query, int* place) {
    for (int q = 0; q < queries; q++) {
        int low = 0, high = table_length;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (table[middle] < query[q])
                low = middle + 1;
            else
                high = middle;
        }
        place[q] = low;
    }
}
