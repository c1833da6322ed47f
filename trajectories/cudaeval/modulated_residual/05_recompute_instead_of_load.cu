// Modulated residual: the modulated values are computed twice, and never stored.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void update(int rows, int tokens, int width, const float* __restrict__ x, const float* __restrict__ shift,
                       const float* __restrict__ scale, const float* __restrict__ probe, const uint8_t* __restrict__ keep,
                       float* __restrict__ out, float* __restrict__ energy) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const size_t at = (size_t)(row / tokens) * width;
    const float* in = x + (size_t)row * width;
    float mean = 0.0f, square = 0.0f, level = 0.0f, total = 0.0f;
    for (int c = lane; c < width; c += 32) mean += in[c];
    mean = warp_sum(mean) / width;
    for (int c = lane; c < width; c += 32) square += (in[c] - mean) * (in[c] - mean);
    const float factor = 1.0f / sqrtf(warp_sum(square) / width + 1e-5f);
    for (int c = lane; c < width; c += 32) level += ((in[c] - mean) * factor * (1.0f + scale[at + c]) + shift[at + c]) * probe[c];
    level = warp_sum(level);
    const float gate = keep[row] ? 1.0f / (1.0f + expf(-level)) : 0.0f;
    for (int c = lane; c < width; c += 32) {
        const float value = in[c] + gate * ((in[c] - mean) * factor * (1.0f + scale[at + c]) + shift[at + c]);
        out[(size_t)row * width + c] = value;
        total += value * value;
    }
    total = warp_sum(total);
    if (lane == 0) energy[row] = total / width;
}

extern "C" void modulated_residual(int batch, int tokens, int width, const float* x, const float* shift, const float* scale,
                                   const float* probe, const uint8_t* keep, float* out, float* energy) {
    const int rows = batch * tokens;
    update<<<(rows + 3) / 4, 128>>>(rows, tokens, width, x, shift, scale, probe, keep, out, energy);
}
