void prefix_sum(int n, const float* x, float* y) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) y[i] = sum += x[i];
}
