// A tensor times two factors: pieces of 8 x 64 of the slab and of 64 x 32 of c come to shared memory in contiguous reads.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kDeep = 64;

__global__ void contract(int rows, int cols, int rank, const float* __restrict__ x, const float* __restrict__ b,
                         const float* __restrict__ c, float* __restrict__ out) {
    __shared__ float sums[kWarps][32], piece[kWarps][kDeep], factor[kDeep][32];
    int r = threadIdx.x, warp = threadIdx.y;
    const float* slab = x + (long long)blockIdx.x * rows * cols;
    float sum = 0.0f;
    for (int base = 0; base < cols; base += kDeep) {
        __syncthreads();
        for (int k = warp; k < kDeep; k += kWarps) factor[k][r] = base + k < cols && r < rank ? c[(long long)(base + k) * rank + r] : 0.0f;
        __syncthreads();
        for (int j = warp; j < rows; j += kWarps) {
            for (int k = r; k < kDeep; k += 32) piece[warp][k] = base + k < cols ? slab[(long long)j * cols + base + k] : 0.0f;
            __syncwarp();
            float row = 0.0f;
#pragma unroll 8
            for (int k = 0; k < kDeep; ++k) row += piece[warp][k] * factor[k][r];
            if (r < rank) sum += row * b[(long long)j * rank + r];
            __syncwarp();
        }
    }
    sums[warp][r] = sum;
    __syncthreads();
    if (warp > 0 || r >= rank) return;
    for (int w = 1; w < kWarps; ++w) sum += sums[w][r];
    out[(long long)blockIdx.x * rank + r] = sum;
}

extern "C" void tensor_factor(int n, int rows, int cols, int rank, const float* x, const float* b, const float* c, float* out) {
    if (n > 0) contract<<<n, dim3(32, kWarps)>>>(rows, cols, rank, x, b, c, out);
}
