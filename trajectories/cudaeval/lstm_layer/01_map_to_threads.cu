// LSTM: two kernels a time step, one for the gates, one for the state; one number a thread.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

__global__ void open_gates(int t, int batch, int inputs, int width, const float* x, const float* from_input, const float* from_state,
                           const float* bias, const float* state, float* gates) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= batch * 4 * width) return;
    const int b = i / (4 * width), row = i % (4 * width);
    float sum = bias[row];
    for (int k = 0; k < inputs; ++k) sum += from_input[(size_t)row * inputs + k] * x[((size_t)t * batch + b) * inputs + k];
    for (int k = 0; t > 0 && k < width; ++k) sum += from_state[(size_t)row * width + k] * state[((size_t)(t - 1) * batch + b) * width + k];
    gates[i] = sum;
}

__global__ void update(int t, int batch, int width, const float* gates, float* state, float* cell) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= batch * width) return;
    const float* g = gates + (size_t)(i / width) * 4 * width + i % width;
    const float memory = (t == 0 ? 0.0f : logistic(g[width]) * cell[i]) + logistic(g[0]) * tanhf(g[2 * width]);
    cell[i] = memory;
    state[(size_t)t * batch * width + i] = logistic(g[3 * width]) * tanhf(memory);
}

extern "C" void lstm_layer(int steps, int batch, int inputs, int width, const float* x, const float* from_input, const float* from_state,
                           const float* bias, float* state, float* cell) {
    float* gates = nullptr;
    cudaMallocAsync(&gates, sizeof(float) * batch * 4 * width, 0);
    for (int t = 0; t < steps; ++t) {
        open_gates<<<(batch * 4 * width + 127) / 128, 128>>>(t, batch, inputs, width, x, from_input, from_state, bias, state, gates);
        update<<<(batch * width + 127) / 128, 128>>>(t, batch, width, gates, state, cell);
    }
    cudaFreeAsync(gates, 0);
}
