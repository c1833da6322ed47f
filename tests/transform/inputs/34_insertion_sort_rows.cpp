// Sorts every short row in ascending order, in place, by insertion.
void insertion_sort_rows(int rows, int width, int* keys) {
    for (int r = 0; r < rows; r++) {
        int* row = keys + r * width;
        for (int i = 1; i < width; i++) {
            const int key = row[i];
            int j = i - 1;
            while (j >= 0 && row[j] > key) {
                row[j + 1] = row[j];
                j--;
            }
            row[j + 1] = key;
        }
    }
}
