// Backward pass of a layer normalisation: one warp a row for dx, whose lanes read neighbouring numbers.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__device__ float warp_sum(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value += __shfl_xor_sync(0xffffffffu, value, gap);
    return value;
}

__global__ void rows_backward(int rows, int cols, const float* x, const float* dy, const float* gamma, float* dx, float* stats) {
    int r = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (r >= rows) return;
    long long base = (long long)r * cols;
    float sum = 0.0f, squares = 0.0f, level = 0.0f, slope = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += x[base + c];
    float mean = warp_sum(sum) / cols;
    for (int c = lane; c < cols; c += 32) squares += (x[base + c] - mean) * (x[base + c] - mean);
    float spread = 1.0f / sqrtf(warp_sum(squares) / cols + 1e-5f);
    for (int c = lane; c < cols; c += 32) {
        float g = gamma[c] * dy[base + c];
        level += g;
        slope += g * (x[base + c] - mean) * spread;
    }
    level = warp_sum(level) / cols;
    slope = warp_sum(slope) / cols;
    for (int c = lane; c < cols; c += 32)
        dx[base + c] = spread * (gamma[c] * dy[base + c] - level - (x[base + c] - mean) * spread * slope);
    if (lane == 0) {
        stats[2 * r] = mean;
        stats[2 * r + 1] = spread;
    }
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
    rows_backward<<<(rows + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(rows, cols, x, dy, gamma, dx, stats);
    columns_backward<<<(cols + 31) / 32, 32>>>(rows, cols, x, dy, stats, dgamma, dbeta);
    cudaFree(stats);
}
