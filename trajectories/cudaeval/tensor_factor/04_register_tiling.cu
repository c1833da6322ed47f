// A tensor times two factors: a warp takes four rows of the slab at once, and reads four neighbouring elements of each in one broadcast of
// 16 bytes, so that a value of c read from shared memory serves four products.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kDeep = 64, kEach = 4;

__global__ void __launch_bounds__(32 * kWarps)
    contract(int rows, int cols, int rank, const float* __restrict__ x, const float* __restrict__ b, const float* __restrict__ c,
             float* __restrict__ out) {
    __shared__ __align__(16) float piece[kWarps][kEach][kDeep];
    __shared__ float sums[kWarps][32], factor[kDeep][32];
    int r = threadIdx.x, warp = threadIdx.y;
    const float* slab = x + (long long)blockIdx.x * rows * cols;
    float sum = 0.0f;
    for (int base = 0; base < cols; base += kDeep) {
        __syncthreads();
        for (int k = warp; k < kDeep; k += kWarps) factor[k][r] = base + k < cols && r < rank ? c[(long long)(base + k) * rank + r] : 0.0f;
        __syncthreads();
        for (int top = warp * kEach; top < rows; top += kWarps * kEach) {
#pragma unroll
            for (int i = 0; i < kEach; ++i) {
                for (int k = r; k < kDeep; k += 32) {
                    bool inside = base + k < cols && top + i < rows;
                    piece[warp][i][k] = inside ? slab[(long long)(top + i) * cols + base + k] : 0.0f;
                }
            }
            __syncwarp();
            float row[kEach] = {};
#pragma unroll 4
            for (int k = 0; k < kDeep; k += 4) {
                float f0 = factor[k][r], f1 = factor[k + 1][r], f2 = factor[k + 2][r], f3 = factor[k + 3][r];
#pragma unroll
                for (int i = 0; i < kEach; ++i) {
                    float4 four = *reinterpret_cast<const float4*>(&piece[warp][i][k]);
                    row[i] += four.x * f0 + four.y * f1 + four.z * f2 + four.w * f3;
                }
            }
#pragma unroll
            for (int i = 0; i < kEach; ++i)
                if (r < rank && top + i < rows) sum += row[i] * b[(long long)(top + i) * rank + r];
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
