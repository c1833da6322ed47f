void histogram256(int n, const int* x, int* bins) {
    for (int b = 0; b < 256; b++) bins[b] = 0;
    for (int i = 0; i < n; i++) bins[x[i]]++;
}
