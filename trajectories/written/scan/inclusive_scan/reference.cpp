// Inclusive prefix sum.

void inclusive_scan(int n, const int* in, int* out) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
