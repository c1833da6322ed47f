// Matrix-vector product, one warp per two rows: every x value that is loaded serves both rows.
#include <cuda_runtime.h>

constexpr int kWarp = 32;
constexpr int kWarpsPerBlock = 8;
constexpr int kRowsPerWarp = 2;
constexpr int kUnroll = 4;

__device__ float warp_sum(float value) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    return value;  // complete in lane 0
}

__global__ void matvec_kernel(int rows, int cols, const float* __restrict__ A, const float* __restrict__ x,
                              float* __restrict__ y) {
    int lane = threadIdx.x % kWarp;
    int first = (blockIdx.x * kWarpsPerBlock + threadIdx.x / kWarp) * kRowsPerWarp;
    if (first >= rows) return;  // the whole warp leaves together
    int second = min(first + 1, rows - 1);  // an odd last row is computed twice and written once
    const float* __restrict__ a0 = A + (size_t)first * cols;
    const float* __restrict__ a1 = A + (size_t)second * cols;

    float part0[kUnroll] = {};
    float part1[kUnroll] = {};
    int col = lane;
    for (; col + (kUnroll - 1) * kWarp < cols; col += kUnroll * kWarp) {
#pragma unroll
        for (int u = 0; u < kUnroll; ++u) {
            float xv = __ldg(x + col + u * kWarp);
            part0[u] += __ldg(a0 + col + u * kWarp) * xv;
            part1[u] += __ldg(a1 + col + u * kWarp) * xv;
        }
    }
    for (; col < cols; col += kWarp) {
        float xv = __ldg(x + col);
        part0[0] += __ldg(a0 + col) * xv;
        part1[0] += __ldg(a1 + col) * xv;
    }
    float sum0 = warp_sum((part0[0] + part0[1]) + (part0[2] + part0[3]));
    float sum1 = warp_sum((part1[0] + part1[1]) + (part1[2] + part1[3]));
    if (lane == 0) {
        y[first] = sum0;
        if (second != first) y[second] = sum1;
    }
}

extern "C" void matvec(int rows, int cols, const float* A, const float* x, float* y) {
    const int rows_per_block = kWarpsPerBlock * kRowsPerWarp;
    const int blocks = (rows + rows_per_block - 1) / rows_per_block;
    matvec_kernel<<<blocks, kWarpsPerBlock * kWarp>>>(rows, cols, A, x, y);
}
