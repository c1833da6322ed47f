// 4-bit linear layer: a warp for each output; the warps of a block share a padded tile of x.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kChunk = 32;  // columns of a 16-byte piece; half a group, so they share scale and zero point

constexpr int kTile = 32 * kChunk;  // columns staged at a time, a chunk for each lane
constexpr int kPitch = kChunk + 4;    // floats of a staged chunk: keeps 16-byte reads of eight lanes in different banks

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
    __shared__ __align__(16) float staged[32 * kPitch];
    int groups = cols / 64;
    float out = 0.0f;
    for (int c0 = 0; c0 < cols; c0 += kTile) {
        __syncthreads();  // nobody still reads the last tile
        for (int c = threadIdx.x; c < min(kTile, cols - c0); c += kWarps * 32)
            staged[c / kChunk * kPitch + c % kChunk] = x[t * cols + c0 + c];
        __syncthreads();
        int chunk = c0 / kChunk + lane;
        if (r >= rows || chunk * kChunk >= cols) continue;
        Weights w = load_weights(packed + (size_t)r * (cols / 2), chunk);
        int g = chunk * kChunk / 64, z = zero[r * groups + g];
        const float4* values = reinterpret_cast<const float4*>(staged + lane * kPitch);
        float part = 0.0f;
#pragma unroll
        for (int q = 0; q < kChunk / 4; ++q) {
            float4 v = values[q];
            uint32_t four = w.word[q / 2] >> (q % 2 * 16);
            part += (float)((int)(four & 15) - z) * v.x + (float)((int)(four >> 4 & 15) - z) * v.y;
            part += (float)((int)(four >> 8 & 15) - z) * v.z + (float)((int)(four >> 12 & 15) - z) * v.w;
        }
        out += scale[r * groups + g] * part;
    }
    out = warp_sum(out);
    if (lane == 0 && r < rows) y[t * rows + r] = out;
}

extern "C" void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                            float* y) {
    linear<<<dim3((rows + kWarps - 1) / kWarps, tokens), kWarps * 32>>>(tokens, rows, cols, packed, scale, zero, x, y);
}
