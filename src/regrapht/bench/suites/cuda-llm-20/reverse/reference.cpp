void reverse(int n, float* x) {
    for (int i = 0; i < n / 2; i++) {
        const float kept = x[i];
        x[i] = x[n - 1 - i];
        x[n - 1 - i] = kept;
    }
}
