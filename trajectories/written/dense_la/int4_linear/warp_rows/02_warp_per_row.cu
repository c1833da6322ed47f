// 4-bit linear layer: a warp for each output; a group of 64 columns is one byte for each lane.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

__global__ void linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                       float* y) {
    int r = blockIdx.x * kWarps + threadIdx.x / 32, t = blockIdx.y, lane = threadIdx.x % 32;
    if (r >= rows) return;  // the same for the whole warp
    int groups = cols / 64;
    float out = 0.0f;
    for (int g = 0; g < groups; ++g) {
        int z = zero[r * groups + g], byte = packed[(size_t)r * (cols / 2) + g * 32 + lane];
        const float* pair = x + t * cols + g * 64 + 2 * lane;
        out += scale[r * groups + g] * ((float)((byte & 15) - z) * pair[0] + (float)((byte >> 4) - z) * pair[1]);
    }
    out = warp_sum(out);
    if (lane == 0) y[t * rows + r] = out;
}

extern "C" void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                            float* y) {
    linear<<<dim3((rows + kWarps - 1) / kWarps, tokens), kWarps * 32>>>(tokens, rows, cols, packed, scale, zero, x, y);
}
