// Matrix-vector product, one warp per row, four independent accumulators so that four loads of A are in flight.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 8;
constexpr int kUnroll = 4;

__device__ float warp_sum(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;  // complete in lane 0
}

__global__ void matvec_kernel(int rows, int cols, const float* __restrict__ A, const float* __restrict__ x,
                              float* __restrict__ y) {
    int lane = threadIdx.x % kWarp;
    int row = blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp;
    if (row >= rows) return;  // the whole warp leaves together
    const float* __restrict__ a = A + (size_t)row * cols;
    float part[kUnroll] = {};
    int col = lane;
    for (; col + (kUnroll - 1) * kWarp < cols; col += kUnroll * kWarp) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) part[u] += __ldg(a + col + u * kWarp) * __ldg(x + col + u * kWarp);
    }
    for (; col < cols; col += kWarp) part[0] += __ldg(a + col) * __ldg(x + col);  // fewer than kUnroll columns left
    float sum = warp_sum((part[0] + part[1]) + (part[2] + part[3]));
    if (lane == 0) y[row] = sum;
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    const int blocks = (rows + kWarpsPerBlock - 1) / kWarpsPerBlock;
    matvec_kernel<<<blocks, kWarpsPerBlock * kWarp>>>(rows, cols, A, x, y);
}
