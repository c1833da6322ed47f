// In every row the place of the smallest number; of several equal ones the first. Integers of a small range, so that ties are common.
void argmin_first(int rows, int cols, const short* table, int* place, short* smallest) {
    for (int r = 0; r < rows; r++) {
        short best = table[r * cols];
        int at = 0;
        for (int c = 1; c < cols; c++) {
            if (table[r * cols + c] < best) {
                best = table[r * cols + c];
                at = c;
            }
        }
        place[r] = at;
        smallest[r] = best;
    }
}
