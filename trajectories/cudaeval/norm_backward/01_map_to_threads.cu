// Backward pass of a layer normalisation: one thread a row for dx, then one thread a column for the sums over rows.
#include <cuda_runtime.h>

__global__ void rows_backward(int rows, int cols, const float* x, const float* dy, const float* gamma, float* dx, float* stats) {
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rows) return;
    long long base = (long long)r * cols;
    float sum = 0.0f, squares = 0.0f, level = 0.0f, slope = 0.0f;
    for (int c = 0; c < cols; ++c) sum += x[base + c];
    float mean = sum / cols;
    for (int c = 0; c < cols; ++c) squares += (x[base + c] - mean) * (x[base + c] - mean);
    float spread = 1.0f / sqrtf(squares / cols + 1e-5f);
    for (int c = 0; c < cols; ++c) {
        float g = gamma[c] * dy[base + c];
        level += g;
        slope += g * (x[base + c] - mean) * spread;
    }
    level /= cols;
    slope /= cols;
    for (int c = 0; c < cols; ++c)
        dx[base + c] = spread * (gamma[c] * dy[base + c] - level - (x[base + c] - mean) * spread * slope);
    stats[2 * r] = mean;
    stats[2 * r + 1] = spread;
}

__global__ void columns_backward(int rows, int cols, const float* x, const float* dy, const float* stats, float* dgamma, float* dbeta) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= cols) return;
    float scale = 0.0f, shift = 0.0f;
    for (int r = 0; r < rows; ++r) {
        float d = dy[(long long)r * cols + c];
        scale += d * (x[(long long)r * cols + c] - stats[2 * r]) * stats[2 * r + 1];
        shift += d;
    }
    dgamma[c] = scale;
    dbeta[c] = shift;
}

extern "C" void norm_backward(int rows, int cols, const float* x, const float* dy, const float* gamma, float* dx, float* dgamma,
                              float* dbeta) {
    if (rows <= 0 || cols <= 0) return;
    float* stats = nullptr;
    cudaMalloc(&stats, 2 * (size_t)rows * sizeof(float));
    rows_backward<<<(rows + 127) / 128, 128>>>(rows, cols, x, dy, gamma, dx, stats);
    columns_backward<<<(cols + 31) / 32, 32>>>(rows, cols, x, dy, stats, dgamma, dbeta);
    cudaFree(stats);
}
