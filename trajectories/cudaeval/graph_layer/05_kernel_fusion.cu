// Graph layer: whoever gathers a node adds its features to the block's sums; a block has 16 nodes.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kF = 64;
constexpr int kNodes = 16;  // a block

__global__ void __launch_bounds__(kF * kNodes)
    gather(int nodes, const int32_t* __restrict__ first, const int32_t* __restrict__ neighbour, const float* __restrict__ weight,
           const float* __restrict__ x, const float* __restrict__ bias, float* __restrict__ out, double2* __restrict__ part) {
    __shared__ float rows[kNodes][kF];
    const int v = blockIdx.x * kNodes + threadIdx.y, f = threadIdx.x;
    float sum = 0.0f;
    if (v < nodes) {
        sum = bias[f];
        for (int e = first[v], end = first[v + 1]; e < end; ++e) sum += weight[e] * x[(size_t)neighbour[e] * kF + f];
        sum = fmaxf(sum, 0.0f);
        out[(size_t)v * kF + f] = sum;
    }
    rows[threadIdx.y][f] = sum;
    __syncthreads();
    if (threadIdx.y != 0) return;
    double2 total = {};
#pragma unroll
    for (int r = 0; r < kNodes; ++r) {
        const float value = rows[r][f];
        total.x += value;
        total.y += (double)value * value;
    }
    part[blockIdx.x * kF + f] = total;
}

__global__ void join(int nodes, int parts, const double2* part, const float* gain, float* mean, float* factor) {
    double sum = 0.0, square = 0.0;
    for (int p = threadIdx.x; p < parts; p += 32) {
        const double2 mine = part[p * kF + blockIdx.x];
        sum += mine.x;
        square += mine.y;
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        sum += __shfl_down_sync(0xffffffffu, sum, apart);
        square += __shfl_down_sync(0xffffffffu, square, apart);
    }
    if (threadIdx.x != 0) return;
    const double middle = sum / nodes;
    mean[blockIdx.x] = (float)middle;
    factor[blockIdx.x] = gain[blockIdx.x] / (float)sqrt(fmax(square / nodes - middle * middle, 0.0) + 1e-3);
}

__global__ void normalise(size_t values, const float* mean, const float* factor, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < values) out[i] = (out[i] - mean[i % kF]) * factor[i % kF];
}

extern "C" void graph_layer(int nodes, int edges, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x,
                            const float* bias, const float* gain, float* out, float* mean) {
    (void)edges;
    const int parts = (nodes + kNodes - 1) / kNodes;
    float* factor = nullptr;
    double2* part = nullptr;
    const size_t values = (size_t)nodes * kF;
    cudaMallocAsync(&factor, sizeof(float) * kF, 0);
    cudaMallocAsync(&part, sizeof(double2) * kF * parts, 0);
    gather<<<parts, dim3(kF, kNodes)>>>(nodes, first, neighbour, weight, x, bias, out, part);
    join<<<kF, 32>>>(nodes, parts, part, gain, mean, factor);
    normalise<<<(unsigned)((values + 255) / 256), 256>>>(values, mean, factor, out);
    cudaFreeAsync(factor, 0);
    cudaFreeAsync(part, 0);
}
