void conv2d_valid(int n, const float* image, const float* kernel, float* out) {
    const int size = n - 23;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            float sum = 0.0f;
            for (int u = 0; u < 24; u++)
                for (int v = 0; v < 24; v++) sum += image[(i + u) * n + j + v] * kernel[u * 24 + v];
            out[i * size + j] = sum;
        }
}
