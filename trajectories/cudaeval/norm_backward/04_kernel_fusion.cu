// Backward pass of a layer normalisation: x and dy are read once. A warp keeps a row in registers from the first sum to dx, and adds it to
// the columns' sums on the way.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kMostBlocks = 528;  // four blocks for each multiprocessor of an H100

__device__ float warp_sum(float value) {
    for (int gap = 16; gap > 0; gap /= 2) value += __shfl_xor_sync(0xffffffffu, value, gap);
    return value;
}

// A warp holds a row of at most 32 * kEach numbers in registers, and beside it what its rows add to the columns' sums.
template <int kEach>
__global__ void __launch_bounds__(32 * kWarps)
    backward(int rows, int cols, const float* __restrict__ x, const float* __restrict__ dy, const float* __restrict__ gamma,
             float* __restrict__ dx, float* __restrict__ part) {
    __shared__ float sums[kWarps][32];
    int lane = threadIdx.x, warp = threadIdx.y;
    float scale[kEach] = {}, shift[kEach] = {}, h[kEach], g[kEach], weight[kEach];
#pragma unroll
    for (int k = 0; k < kEach; ++k) weight[k] = lane + 32 * k < cols ? gamma[lane + 32 * k] : 0.0f;
    for (int r = blockIdx.x * kWarps + warp; r < rows; r += gridDim.x * kWarps) {
        long long base = (long long)r * cols;
        float sum = 0.0f, squares = 0.0f, level = 0.0f, slope = 0.0f;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            bool inside = lane + 32 * k < cols;
            h[k] = inside ? x[base + lane + 32 * k] : 0.0f;
            g[k] = inside ? dy[base + lane + 32 * k] : 0.0f;
            sum += h[k];
        }
        float mean = warp_sum(sum) / cols;
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            h[k] = lane + 32 * k < cols ? h[k] - mean : 0.0f;
            squares += h[k] * h[k];
        }
        float spread = 1.0f / sqrtf(warp_sum(squares) / cols + 1e-5f);
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            h[k] *= spread;
            scale[k] += g[k] * h[k];
            shift[k] += g[k];
            g[k] *= weight[k];
            level += g[k];
            slope += g[k] * h[k];
        }
        level = warp_sum(level) / cols;
        slope = warp_sum(slope) / cols;
#pragma unroll
        for (int k = 0; k < kEach; ++k)
            if (lane + 32 * k < cols) dx[base + lane + 32 * k] = spread * (g[k] - level - h[k] * slope);
    }
#pragma unroll
    for (int k = 0; k < 2 * kEach; ++k) {  // the block's warps add up, 32 columns after 32
        __syncthreads();
        sums[warp][lane] = k < kEach ? scale[k % kEach] : shift[k % kEach];
        __syncthreads();
        int c = lane + 32 * (k % kEach);
        if (warp > 0 || c >= cols) continue;
        float sum = 0.0f;
        for (int w = 0; w < kWarps; ++w) sum += sums[w][lane];
        part[(long long)blockIdx.x * 2 * cols + (k < kEach ? 0 : cols) + c] = sum;
    }
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
    const int needed = (rows + kWarps - 1) / kWarps, blocks = needed < kMostBlocks ? needed : kMostBlocks;
    float* part = nullptr;
    cudaMalloc(&part, 2 * (size_t)blocks * cols * sizeof(float));
    const dim3 block(32, kWarps);
    if (cols <= 64) backward<2><<<blocks, block>>>(rows, cols, x, dy, gamma, dx, part);
    else if (cols <= 256) backward<8><<<blocks, block>>>(rows, cols, x, dy, gamma, dx, part);
    else backward<32><<<blocks, block>>>(rows, cols, x, dy, gamma, dx, part);
    add_parts<<<(2 * cols + 31) / 32, dim3(32, 8)>>>(blocks, cols, part, dgamma, dbeta);
    cudaFree(part);
}
