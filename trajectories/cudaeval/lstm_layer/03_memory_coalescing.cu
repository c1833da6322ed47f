// LSTM: the matrices are turned once, so that neighbouring threads read neighbouring weights.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

// to[k][row] = from[row][k]
__global__ void turn(int rows, int cols, const float* from, float* to) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i < rows * cols) to[(size_t)(i % cols) * rows + i / cols] = from[i];
}

__global__ void project(int rows, int inputs, int width, const float* x, const float* from_input, const float* bias, float* level) {
    const size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
    if (i >= (size_t)rows * 4 * width) return;
    const size_t now = i / (4 * width), row = i % (4 * width);
    float sum = bias[row];
    for (int k = 0; k < inputs; ++k) sum += from_input[(size_t)k * 4 * width + row] * x[now * inputs + k];
    level[i] = sum;
}

__global__ void open_gates(int t, int batch, int width, const float* level, const float* own, const float* state, float* gates) {
    const int i = blockIdx.x * 128 + threadIdx.x;
    if (i >= batch * 4 * width) return;
    const int b = i / (4 * width), row = i % (4 * width);
    float sum = level[(size_t)t * batch * 4 * width + i];
    for (int k = 0; t > 0 && k < width; ++k) sum += own[(size_t)k * 4 * width + row] * state[((size_t)(t - 1) * batch + b) * width + k];
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
    const size_t levels = (size_t)steps * batch * 4 * width;
    float *level = nullptr, *input = nullptr, *own = nullptr, *gates = nullptr;
    cudaMallocAsync(&level, sizeof(float) * levels, 0);
    cudaMallocAsync(&input, sizeof(float) * 4 * width * inputs, 0);
    cudaMallocAsync(&own, sizeof(float) * 4 * width * width, 0);
    cudaMallocAsync(&gates, sizeof(float) * batch * 4 * width, 0);
    turn<<<(4 * width * inputs + 127) / 128, 128>>>(4 * width, inputs, from_input, input);
    turn<<<(4 * width * width + 127) / 128, 128>>>(4 * width, width, from_state, own);
    project<<<(unsigned)((levels + 127) / 128), 128>>>(steps * batch, inputs, width, x, input, bias, level);
    for (int t = 0; t < steps; ++t) {
        open_gates<<<(batch * 4 * width + 127) / 128, 128>>>(t, batch, width, level, own, state, gates);
        update<<<(batch * width + 127) / 128, 128>>>(t, batch, width, gates, state, cell);
    }
    cudaFreeAsync(level, 0);
    cudaFreeAsync(input, 0);
    cudaFreeAsync(own, 0);
    cudaFreeAsync(gates, 0);
}
