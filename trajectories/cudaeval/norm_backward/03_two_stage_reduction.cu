// Backward pass of a layer normalisation: the columns' sums are taken over 128 rows at a time by many blocks, then over those parts.
#include <cuda_runtime.h>

constexpr int kChunk = 128;  // rows of a part

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

__global__ void columns_backward(int rows, int cols, const float* __restrict__ x, const float* __restrict__ dy,
                                 const float* __restrict__ stats, float* __restrict__ part) {
    __shared__ float scales[kWarps][32], shifts[kWarps][32];
    int c = blockIdx.x * 32 + threadIdx.x, first = blockIdx.y * kChunk;
    float scale = 0.0f, shift = 0.0f;
    for (int r = first + threadIdx.y; r < min(first + kChunk, rows) && c < cols; r += kWarps) {
        float d = dy[(long long)r * cols + c];
        scale += d * (x[(long long)r * cols + c] - stats[2 * r]) * stats[2 * r + 1];
        shift += d;
    }
    scales[threadIdx.y][threadIdx.x] = scale;
    shifts[threadIdx.y][threadIdx.x] = shift;
    __syncthreads();
    if (threadIdx.y > 0 || c >= cols) return;
    for (int k = 1; k < kWarps; ++k) {
        scale += scales[k][threadIdx.x];
        shift += shifts[k][threadIdx.x];
    }
    part[(long long)blockIdx.y * 2 * cols + c] = scale;
    part[(long long)blockIdx.y * 2 * cols + cols + c] = shift;
}

// Sums the parts of each column, eight threads a column; parts lie as [part][dgamma or dbeta][column].
__global__ void add_parts(int parts, int cols, const float* __restrict__ part, float* __restrict__ dgamma, float* __restrict__ dbeta) {
    __shared__ float sums[8][32];
    int c = blockIdx.x * 32 + threadIdx.x;
    float sum = 0.0f;
    for (int k = threadIdx.y; k < parts && c < 2 * cols; k += 8) sum += part[(long long)k * 2 * cols + c];
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y > 0 || c >= 2 * cols) return;
    for (int k = 1; k < 8; ++k) sum += sums[k][threadIdx.x];
    if (c < cols) dgamma[c] = sum;
    else dbeta[c - cols] = sum;
}

extern "C" void norm_backward(int rows, int cols, const float* x, const float* dy, const float* gamma, float* dx, float* dgamma,
                              float* dbeta) {
    if (rows <= 0 || cols <= 0) return;
    const int parts = (rows + kChunk - 1) / kChunk;
    float* stats = nullptr;
    cudaMalloc(&stats, 2 * ((size_t)rows + (size_t)parts * cols) * sizeof(float));
    float* part = stats + 2 * (size_t)rows;
    rows_backward<<<(rows + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(rows, cols, x, dy, gamma, dx, stats);
    columns_backward<<<dim3((cols + 31) / 32, parts), dim3(32, kWarps)>>>(rows, cols, x, dy, stats, part);
    add_parts<<<(2 * cols + 31) / 32, dim3(32, 8)>>>(parts, cols, part, dgamma, dbeta);
    cudaFree(stats);
}
