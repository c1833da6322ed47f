void sum(int n, const float* x, float* result) {
    float sum = 0.0f;
    for (int i = 0; i < n; i++) sum += x[i];
    *result = sum;
}
