// Softmax of each row: a warp for each row, three passes over memory.
#include <cuda_runtime.h>

#include <cfloat>

constexpr int kWarps = 8;

__device__ float warp_max(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, offset));
    return v;
}

__device__ float warp_sum(float v) {
    for (int offset = 16; offset > 0; offset /= 2) v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

__global__ void softmax(int rows, int cols, const float* in, float* out) {
    int r = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (r >= rows) return;
    const float* x = in + (size_t)r * cols;
    float* y = out + (size_t)r * cols;
    float largest = -FLT_MAX, sum = 0.0f;
    for (int c = lane; c < cols; c += 32) largest = fmaxf(largest, x[c]);
    largest = warp_max(largest);
    for (int c = lane; c < cols; c += 32) sum += expf(x[c] - largest);
    sum = warp_sum(sum);
    for (int c = lane; c < cols; c += 32) y[c] = expf(x[c] - largest) / sum;
}

extern "C" void row_softmax(int rows, int cols, const float* in, float* out) {
    softmax<<<(rows + kWarps - 1) / kWarps, 32 * kWarps>>>(rows, cols, in, out);
}
