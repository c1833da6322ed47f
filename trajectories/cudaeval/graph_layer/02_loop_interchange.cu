// Graph layer: neighbouring threads have neighbouring features of a node, so that rows of x are read in one piece.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kF = 64;

__global__ void gather(int nodes, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x, const float* bias,
                       float* out) {
    const int v = blockIdx.x * 4 + threadIdx.y, f = threadIdx.x;
    if (v >= nodes) return;
    float sum = bias[f];
    for (int e = first[v]; e < first[v + 1]; ++e) sum += weight[e] * x[(size_t)neighbour[e] * kF + f];
    out[(size_t)v * kF + f] = fmaxf(sum, 0.0f);
}

__global__ void measure(int nodes, const float* out, const float* gain, float* mean, float* factor) {
    const int f = threadIdx.x;
    double total = 0.0, spread = 0.0;
    for (int v = 0; v < nodes; ++v) total += out[(size_t)v * kF + f];
    const float middle = (float)(total / nodes);
    for (int v = 0; v < nodes; ++v) spread += (double)(out[(size_t)v * kF + f] - middle) * (out[(size_t)v * kF + f] - middle);
    mean[f] = middle;
    factor[f] = gain[f] / (float)sqrt(spread / nodes + 1e-3);
}

__global__ void normalise(size_t values, const float* mean, const float* factor, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < values) out[i] = (out[i] - mean[i % kF]) * factor[i % kF];
}

extern "C" void graph_layer(int nodes, int edges, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x,
                            const float* bias, const float* gain, float* out, float* mean) {
    (void)edges;
    float* factor = nullptr;
    const size_t values = (size_t)nodes * kF;
    cudaMallocAsync(&factor, sizeof(float) * kF, 0);
    gather<<<(nodes + 3) / 4, dim3(kF, 4)>>>(nodes, first, neighbour, weight, x, bias, out);
    measure<<<1, kF>>>(nodes, out, gain, mean, factor);
    normalise<<<(unsigned)((values + 255) / 256), 256>>>(values, mean, factor, out);
    cudaFreeAsync(factor, 0);
}
