// A tensor times two factors: one block a slab. A lane owns a column of the factors, the eight warps take the slab's rows in turn and their
// sums meet in shared memory. The factor b leaves the inner loop.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void contract(int rows, int cols, int rank, const float* x, const float* b, const float* c, float* out) {
    __shared__ float sums[kWarps][32];
    int r = threadIdx.x, warp = threadIdx.y;
    const float* slab = x + (long long)blockIdx.x * rows * cols;
    float sum = 0.0f;
    for (int j = warp; j < rows && r < rank; j += kWarps) {
        float row = 0.0f;
        for (int k = 0; k < cols; ++k) row += slab[(long long)j * cols + k] * c[(long long)k * rank + r];
        sum += row * b[(long long)j * rank + r];
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
