// Modulated residual: a warp measures a token, modulates it and opens its gate in one kernel.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void prepare(int rows, int tokens, int width, const float* __restrict__ x, const float* __restrict__ shift,
                       const float* __restrict__ scale, const float* __restrict__ probe, const uint8_t* __restrict__ keep,
                       float* __restrict__ y, float* __restrict__ gate) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const size_t at = (size_t)(row / tokens) * width;
    const float* in = x + (size_t)row * width;
    float* own = y + (size_t)row * width;
    float mean = 0.0f, square = 0.0f, level = 0.0f;
    for (int c = lane; c < width; c += 32) mean += in[c];
    mean = warp_sum(mean) / width;
    for (int c = lane; c < width; c += 32) square += (in[c] - mean) * (in[c] - mean);
    const float factor = 1.0f / sqrtf(warp_sum(square) / width + 1e-5f);
    for (int c = lane; c < width; c += 32) {
        const float value = (in[c] - mean) * factor * (1.0f + scale[at + c]) + shift[at + c];
        own[c] = value;
        level += value * probe[c];
    }
    level = warp_sum(level);
    if (lane == 0) gate[row] = keep[row] ? 1.0f / (1.0f + expf(-level)) : 0.0f;
}

__global__ void add(int rows, int width, const float* x, const float* y, const float* gate, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)rows * width) out[i] = x[i] + gate[i / width] * y[i];
}

__global__ void weigh(int rows, int width, const float* out, float* energy) {
    const int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    float total = 0.0f;
    for (int c = lane; c < width; c += 32) total += out[(size_t)row * width + c] * out[(size_t)row * width + c];
    total = warp_sum(total);
    if (lane == 0) energy[row] = total / width;
}

extern "C" void modulated_residual(int batch, int tokens, int width, const float* x, const float* shift, const float* scale,
                                   const float* probe, const uint8_t* keep, float* out, float* energy) {
    const int rows = batch * tokens;
    float *y = nullptr, *gate = nullptr;
    cudaMallocAsync(&y, sizeof(float) * rows * width, 0);
    cudaMallocAsync(&gate, sizeof(float) * rows, 0);
    prepare<<<(rows + 3) / 4, 128>>>(rows, tokens, width, x, shift, scale, probe, keep, y, gate);
    add<<<(unsigned)(((size_t)rows * width + 255) / 256), 256>>>(rows, width, x, y, gate, out);
    weigh<<<(rows + 3) / 4, 128>>>(rows, width, out, energy);
    cudaFreeAsync(y, 0);
    cudaFreeAsync(gate, 0);
}
