// 4-bit linear layer: a warp for each output; each lane takes 32 columns with one 16-byte load.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kChunk = 32;  // columns of a 16-byte piece; half a group, so they share scale and zero point

struct Weights {
    uint32_t word[4];  // eight columns each, the first in the lowest bits
};

// Rows are multiples of 32 bytes, so only the base decides whether 16 bytes may be loaded at once.
__device__ Weights load_weights(const uint8_t* row, int chunk) {
    Weights w;
    const uint8_t* p = row + chunk * 16;
    if (reinterpret_cast<uintptr_t>(row) % 16 == 0) {
        uint4 v = *reinterpret_cast<const uint4*>(p);
        w.word[0] = v.x, w.word[1] = v.y, w.word[2] = v.z, w.word[3] = v.w;
    } else {
        for (int i = 0; i < 4; ++i) w.word[i] = p[4 * i] | p[4 * i + 1] << 8 | p[4 * i + 2] << 16 | (uint32_t)p[4 * i + 3] << 24;
    }
    return w;
}

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
    for (int chunk = lane; chunk < cols / kChunk; chunk += 32) {
        Weights w = load_weights(packed + (size_t)r * (cols / 2), chunk);
        int g = chunk * kChunk / 64, z = zero[r * groups + g];
        const float* values = x + t * cols + chunk * kChunk;
        float part = 0.0f;
#pragma unroll
        for (int c = 0; c < kChunk; ++c) part += (float)((int)(w.word[c / 8] >> (c % 8 * 4) & 15) - z) * values[c];
        out += scale[r * groups + g] * part;
    }
    out = warp_sum(out);
    if (lane == 0) y[t * rows + r] = out;
}

extern "C" void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                            float* y) {
    linear<<<dim3((rows + kWarps - 1) / kWarps, tokens), kWarps * 32>>>(tokens, rows, cols, packed, scale, zero, x, y);
}
