// Modulated residual: one kernel a loop; one token or one number a thread.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

__global__ void measure(int rows, int width, const float* x, float2* state) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float mean = 0.0f, square = 0.0f;
    for (int c = 0; c < width; ++c) mean += x[(size_t)row * width + c];
    mean /= width;
    for (int c = 0; c < width; ++c) square += (x[(size_t)row * width + c] - mean) * (x[(size_t)row * width + c] - mean);
    state[row] = {mean, 1.0f / sqrtf(square / width + 1e-5f)};
}

__global__ void modulate(int rows, int tokens, int width, const float* x, const float2* state, const float* shift, const float* scale,
                         float* y) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)rows * width) return;
    const int row = i / width, c = i % width;
    const size_t at = (size_t)(row / tokens) * width + c;
    y[i] = (x[i] - state[row].x) * state[row].y * (1.0f + scale[at]) + shift[at];
}

__global__ void open_gates(int rows, int width, const float* y, const float* probe, const uint8_t* keep, float* gate) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float level = 0.0f;
    for (int c = 0; c < width; ++c) level += y[(size_t)row * width + c] * probe[c];
    gate[row] = keep[row] ? 1.0f / (1.0f + expf(-level)) : 0.0f;
}

__global__ void add(int rows, int width, const float* x, const float* y, const float* gate, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < (size_t)rows * width) out[i] = x[i] + gate[i / width] * y[i];
}

__global__ void weigh(int rows, int width, const float* out, float* energy) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float total = 0.0f;
    for (int c = 0; c < width; ++c) total += out[(size_t)row * width + c] * out[(size_t)row * width + c];
    energy[row] = total / width;
}

extern "C" void modulated_residual(int batch, int tokens, int width, const float* x, const float* shift, const float* scale,
                                   const float* probe, const uint8_t* keep, float* out, float* energy) {
    const int rows = batch * tokens;
    const unsigned blocks = (unsigned)(((size_t)rows * width + 255) / 256);
    float2* state = nullptr;
    float *y = nullptr, *gate = nullptr;
    cudaMallocAsync(&state, sizeof(float2) * rows, 0);
    cudaMallocAsync(&y, sizeof(float) * rows * width, 0);
    cudaMallocAsync(&gate, sizeof(float) * rows, 0);
    measure<<<(rows + 127) / 128, 128>>>(rows, width, x, state);
    modulate<<<blocks, 256>>>(rows, tokens, width, x, state, shift, scale, y);
    open_gates<<<(rows + 127) / 128, 128>>>(rows, width, y, probe, keep, gate);
    add<<<blocks, 256>>>(rows, width, x, y, gate, out);
    weigh<<<(rows + 127) / 128, 128>>>(rows, width, out, energy);
    cudaFreeAsync(state, 0);
    cudaFreeAsync(y, 0);
    cudaFreeAsync(gate, 0);
}
