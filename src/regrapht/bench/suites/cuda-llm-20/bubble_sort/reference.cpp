void bubble_sort(int n, float* x) {
    for (int end = n - 1; end > 0; end--)
        for (int i = 0; i < end; i++)
            if (x[i] > x[i + 1]) {
                const float kept = x[i];
                x[i] = x[i + 1];
                x[i + 1] = kept;
            }
}
