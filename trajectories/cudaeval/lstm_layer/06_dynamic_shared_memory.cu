// LSTM: as many weights of the state as have room stay in shared memory for all steps.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>

__device__ float logistic(float v) { return 1.0f / (1.0f + expf(-v)); }

// to[k][u] has the weights of the four gates of unit u for number k, in two matrices.
__global__ void turn(int inputs, int width, const float* from_input, const float* from_state, float4* input, float4* own) {
    const int i = blockIdx.x * 128 + threadIdx.x, k = i / width, u = i % width;
    if (k >= inputs + width) return;
    const bool is_input = k < inputs;
    const int cols = is_input ? inputs : width, col = is_input ? k : k - inputs;
    const float* from = (is_input ? from_input : from_state) + (size_t)u * cols + col;
    const size_t step = (size_t)width * cols;
    (is_input ? input : own)[(size_t)col * width + u] = {from[0], from[step], from[2 * step], from[3 * step]};
}

__device__ void add(float4& sum, float4 weight, float value) {
    sum.x += weight.x * value;
    sum.y += weight.y * value;
    sum.z += weight.z * value;
    sum.w += weight.w * value;
}

// The new memory of a unit, and what it lets out.
__device__ float updated(float4 gate, float memory, float& out) {
    memory = logistic(gate.y) * memory + logistic(gate.x) * tanhf(gate.z);
    out = logistic(gate.w) * tanhf(memory);
    return memory;
}

__global__ void project(int rows, int inputs, int width, const float* __restrict__ x, const float4* __restrict__ input,
                        const float* __restrict__ bias, float4* __restrict__ level) {
    const size_t i = (size_t)blockIdx.x * 128 + threadIdx.x;
    if (i >= (size_t)rows * width) return;
    const size_t now = i / width, u = i % width;
    float4 sum = {bias[u], bias[width + u], bias[2 * width + u], bias[3 * width + u]};
    for (int k = 0; k < inputs; ++k) add(sum, input[(size_t)k * width + u], x[now * inputs + k]);
    level[i] = sum;
}

constexpr int kTeams = 4;
constexpr int kRoom = 200 * 1024;  // bytes for weights in shared memory

// Each thread finds the first `held` of its weights in shared memory, where it has put them.
__global__ void advance(int steps, int batch, int width, int held, const float4* __restrict__ level, const float4* __restrict__ own,
                        float* __restrict__ state, float* __restrict__ cell) {
    extern __shared__ float4 kept[];  // [team][weight][unit]
    __shared__ float before[256];
    __shared__ float4 part[kTeams - 1][256];
    const int b = blockIdx.x, u = threadIdx.x, team = threadIdx.y;
    const int first = width * team / kTeams, last = width * (team + 1) / kTeams, here = min(first + held, last);
    float4* mine = kept + team * held * width + u;
    for (int k = first; k < here && u < width; ++k) mine[(k - first) * width] = own[(size_t)k * width + u];
    float memory = 0.0f;
    if (team == 0) before[u] = 0.0f;
    for (int t = 0; t < steps; ++t) {
        const size_t at = ((size_t)t * batch + b) * width + u;
        __syncthreads();
        float4 gate = {};
        if (u < width) {
            if (team == 0) gate = level[at];
            for (int k = first; k < here; ++k) add(gate, mine[(k - first) * width], before[k]);
            for (int k = here; k < last; ++k) add(gate, own[(size_t)k * width + u], before[k]);
            if (team > 0) part[team - 1][u] = gate;
        }
        __syncthreads();
        if (team > 0 || u >= width) continue;
#pragma unroll
        for (int i = 0; i < kTeams - 1; ++i) add(gate, part[i][u], 1.0f);
        memory = updated(gate, memory, before[u]);
        state[at] = before[u];
    }
    if (team == 0 && u < width) cell[(size_t)b * width + u] = memory;
}

extern "C" void lstm_layer(int steps, int batch, int inputs, int width, const float* x, const float* from_input, const float* from_state,
                           const float* bias, float* state, float* cell) {
    const size_t levels = (size_t)steps * batch * width;
    float4 *level = nullptr, *input = nullptr, *own = nullptr;
    cudaMallocAsync(&level, sizeof(float4) * levels, 0);
    cudaMallocAsync(&input, sizeof(float4) * width * inputs, 0);
    cudaMallocAsync(&own, sizeof(float4) * width * width, 0);
    turn<<<((inputs + width) * width + 127) / 128, 128>>>(inputs, width, from_input, from_state, input, own);
    project<<<(unsigned)((levels + 127) / 128), 128>>>(steps * batch, inputs, width, x, input, bias, level);
    const int of_each = (int)sizeof(float4) * kTeams * width, held = std::min((width + kTeams - 1) / kTeams, kRoom / of_each);
    cudaFuncSetAttribute(advance, cudaFuncAttributeMaxDynamicSharedMemorySize, held * of_each);
    advance<<<batch, dim3((width + 31) / 32 * 32, kTeams), held * of_each>>>(steps, batch, width, held, level, own, state, cell);
    cudaFreeAsync(level, 0);
    cudaFreeAsync(input, 0);
    cudaFreeAsync(own, 0);
}
