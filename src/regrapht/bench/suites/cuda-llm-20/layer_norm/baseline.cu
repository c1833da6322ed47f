__global__ void layer_norm_kernel(long groups, const float* __restrict__ x, const float* __restrict__ gamma, const float* __restrict__ beta,
                                  float* __restrict__ y) {
    const long g = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    float mean = 0.0f, variance = 0.0f;
    for (int f = 0; f < 4; f++) mean += x[4 * g + f];
    mean /= 4.0f;
    for (int f = 0; f < 4; f++) variance += (x[4 * g + f] - mean) * (x[4 * g + f] - mean);
    const float scale = 1.0f / sqrtf(variance / 4.0f + 1e-5f);
    for (int f = 0; f < 4; f++) y[4 * g + f] = (x[4 * g + f] - mean) * scale * gamma[f] + beta[f];
}

extern "C" void layer_norm(int batch, int rows, int columns, const float* x, const float* gamma, const float* beta, float* y) {
    const long groups = (long)batch * rows * columns;
    layer_norm_kernel<<<(groups + 255) / 256, 256>>>(groups, x, gamma, beta, y);
}
