static int find(const int* log, int length, int wanted) {
    for (int i = 0; i < length; i++)
        if (log[i] == wanted) return i;
    return -1;
}

// Where each wanted record number first stands in the log, or -1.
void first_match(int length, int m, const int* log, const int* wanted, int* found) {
    for (int q = 0; q < m; q++)
        found[q] = find(log, length, wanted[q]);
}
