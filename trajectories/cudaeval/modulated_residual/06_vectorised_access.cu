// Modulated residual: four numbers at a time.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__device__ float add4(float4 v) { return v.x + v.y + v.z + v.w; }

// The modulated values of a piece.
__device__ float4 modulated(float4 v, float mean, float factor, float4 scale, float4 shift) {
    return {(v.x - mean) * factor * (1.0f + scale.x) + shift.x, (v.y - mean) * factor * (1.0f + scale.y) + shift.y,
            (v.z - mean) * factor * (1.0f + scale.z) + shift.z, (v.w - mean) * factor * (1.0f + scale.w) + shift.w};
}

__global__ void update(int rows, int tokens, int pieces, const float4* __restrict__ x, const float4* __restrict__ shift,
                       const float4* __restrict__ scale, const float4* __restrict__ probe, const uint8_t* __restrict__ keep,
                       float4* __restrict__ out, float* __restrict__ energy) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const size_t at = (size_t)(row / tokens) * pieces;
    const float4* in = x + (size_t)row * pieces;
    float mean = 0.0f, square = 0.0f, level = 0.0f, total = 0.0f;
    for (int c = lane; c < pieces; c += 32) mean += add4(in[c]);
    mean = warp_sum(mean) / (4 * pieces);
    for (int c = lane; c < pieces; c += 32) {
        const float4 v = in[c], d = {v.x - mean, v.y - mean, v.z - mean, v.w - mean};
        square += d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w;
    }
    const float factor = 1.0f / sqrtf(warp_sum(square) / (4 * pieces) + 1e-5f);
    for (int c = lane; c < pieces; c += 32) {
        const float4 y = modulated(in[c], mean, factor, scale[at + c], shift[at + c]), p = probe[c];
        level += y.x * p.x + y.y * p.y + y.z * p.z + y.w * p.w;
    }
    level = warp_sum(level);
    const float gate = keep[row] ? 1.0f / (1.0f + expf(-level)) : 0.0f;
    for (int c = lane; c < pieces; c += 32) {
        const float4 v = in[c], y = modulated(v, mean, factor, scale[at + c], shift[at + c]);
        const float4 value = {v.x + gate * y.x, v.y + gate * y.y, v.z + gate * y.z, v.w + gate * y.w};
        out[(size_t)row * pieces + c] = value;
        total += value.x * value.x + value.y * value.y + value.z * value.z + value.w * value.w;
    }
    total = warp_sum(total);
    if (lane == 0) energy[row] = total / (4 * pieces);
}

extern "C" void modulated_residual(int batch, int tokens, int width, const float* x, const float* shift, const float* scale,
                                   const float* probe, const uint8_t* keep, float* out, float* energy) {
    const int rows = batch * tokens;
    update<<<(rows + 3) / 4, 128>>>(rows, tokens, width / 4, reinterpret_cast<const float4*>(x),
                                      reinterpret_cast<const float4*>(shift), reinterpret_cast<const float4*>(scale),
                                      reinterpret_cast<const float4*>(probe), keep, reinterpret_cast<float4*>(out), energy);
}
