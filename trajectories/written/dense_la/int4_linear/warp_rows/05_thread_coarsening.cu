// 4-bit linear layer: a warp for each row and all tokens, so that weights are loaded and unpacked once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 8;
constexpr int kChunk = 32;  // columns of a 16-byte piece; half a group, so they share scale and zero point

constexpr int kTile = 32 * kChunk;  // columns staged at a time, a chunk for each lane
constexpr int kTokens = 8;
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
    extern __shared__ float4 staged4[];  // tokens x 32 chunks x kPitch floats
    float* staged = reinterpret_cast<float*>(staged4);
    int r = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    int groups = cols / 64;
    float out[kTokens] = {};
    for (int c0 = 0; c0 < cols; c0 += kTile) {
        __syncthreads();  // nobody still reads the last tile
        for (int t = 0; t < tokens; ++t)
            for (int c = threadIdx.x; c < min(kTile, cols - c0); c += kWarps * 32)
                staged[(t * 32 + c / kChunk) * kPitch + c % kChunk] = x[t * cols + c0 + c];
        __syncthreads();
        int chunk = c0 / kChunk + lane;
        if (r >= rows || chunk * kChunk >= cols) continue;
        Weights w = load_weights(packed + (size_t)r * (cols / 2), chunk);
        int g = chunk * kChunk / 64, z = zero[r * groups + g];
        float factor = scale[r * groups + g];
#pragma unroll
        for (int q = 0; q < kChunk / 4; ++q) {
            uint32_t four = w.word[q / 2] >> (q % 2 * 16);
            float w0 = factor * (float)((int)(four & 15) - z), w1 = factor * (float)((int)(four >> 4 & 15) - z);
            float w2 = factor * (float)((int)(four >> 8 & 15) - z), w3 = factor * (float)((int)(four >> 12 & 15) - z);
#pragma unroll
            for (int t = 0; t < kTokens; ++t) {
                if (t < tokens) {
                    float4 v = *reinterpret_cast<const float4*>(staged + (t * 32 + lane) * kPitch + 4 * q);
                    out[t] += w0 * v.x + w1 * v.y + w2 * v.z + w3 * v.w;
                }
            }
        }
    }
#pragma unroll
    for (int t = 0; t < kTokens; ++t) {
        if (t < tokens) {
            float sum = warp_sum(out[t]);
            if (lane == 0 && r < rows) y[t * rows + r] = sum;
        }
    }
}

extern "C" void int4_linear(int tokens, int rows, int cols, const uint8_t* packed, const float* scale, const uint8_t* zero, const float* x,
                            float* y) {
    size_t bytes = (size_t)tokens * 32 * kPitch * sizeof(float);  // at most 36 KB
    linear<<<(rows + kWarps - 1) / kWarps, kWarps * 32, bytes>>>(tokens, rows, cols, packed, scale, zero, x, y);
}
