// LSTM: a block has a sequence, a gate a thread, and goes through all time steps; gates and state are in shared memory.
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

__global__ void advance(int steps, int batch, int width, const float* __restrict__ level, const float* __restrict__ own,
                        float* __restrict__ state, float* __restrict__ cell) {
    __shared__ float before[256], gate[1024];
    const int b = blockIdx.x, row = threadIdx.x;
    float memory = 0.0f;
    if (row < width) before[row] = 0.0f;
    for (int t = 0; t < steps; ++t) {
        const size_t at = (size_t)t * batch + b;
        __syncthreads();
        float sum = level[at * 4 * width + row];
        for (int k = 0; k < width; ++k) sum += own[(size_t)k * 4 * width + row] * before[k];
        gate[row] = sum;
        __syncthreads();
        if (row >= width) continue;
        memory = logistic(gate[width + row]) * memory + logistic(gate[row]) * tanhf(gate[2 * width + row]);
        state[at * width + row] = before[row] = logistic(gate[3 * width + row]) * tanhf(memory);
    }
    if (row < width) cell[(size_t)b * width + row] = memory;
}

extern "C" void lstm_layer(int steps, int batch, int inputs, int width, const float* x, const float* from_input, const float* from_state,
                           const float* bias, float* state, float* cell) {
    const size_t levels = (size_t)steps * batch * 4 * width;
    float *level = nullptr, *input = nullptr, *own = nullptr;
    cudaMallocAsync(&level, sizeof(float) * levels, 0);
    cudaMallocAsync(&input, sizeof(float) * 4 * width * inputs, 0);
    cudaMallocAsync(&own, sizeof(float) * 4 * width * width, 0);
    turn<<<(4 * width * inputs + 127) / 128, 128>>>(4 * width, inputs, from_input, input);
    turn<<<(4 * width * width + 127) / 128, 128>>>(4 * width, width, from_state, own);
    project<<<(unsigned)((levels + 127) / 128), 128>>>(steps * batch, inputs, width, x, input, bias, level);
    advance<<<batch, 4 * width>>>(steps, batch, width, level, own, state, cell);
    cudaFreeAsync(level, 0);
    cudaFreeAsync(input, 0);
    cudaFreeAsync(own, 0);
}
