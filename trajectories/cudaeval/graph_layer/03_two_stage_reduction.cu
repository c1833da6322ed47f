// Graph layer: blocks add up 64 nodes each, first for the mean, then for the deviation from it; a feature a block joins them.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kF = 64;
constexpr int kNodes = 64;  // a block of the statistics

__global__ void gather(int nodes, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x, const float* bias,
                       float* out) {
    const int v = blockIdx.x * 4 + threadIdx.y, f = threadIdx.x;
    if (v >= nodes) return;
    float sum = bias[f];
    for (int e = first[v]; e < first[v + 1]; ++e) sum += weight[e] * x[(size_t)neighbour[e] * kF + f];
    out[(size_t)v * kF + f] = fmaxf(sum, 0.0f);
}

// The sum of one value a thread, 64 x 4 threads, over y; known to threads with y 0.
__device__ float sum_over_y(float mine) {
    __shared__ float part[4][kF];
    part[threadIdx.y][threadIdx.x] = mine;
    __syncthreads();
    return part[0][threadIdx.x] + part[1][threadIdx.x] + part[2][threadIdx.x] + part[3][threadIdx.x];
}

__global__ void add_up(int nodes, const float* out, const float* mean, float* part) {
    const int f = threadIdx.x, last = min((blockIdx.x + 1) * kNodes, nodes);
    float sum = 0.0f;
    for (int v = blockIdx.x * kNodes + threadIdx.y; v < last; v += 4) {
        const float value = out[(size_t)v * kF + f];
        sum += mean == nullptr ? value : (value - mean[f]) * (value - mean[f]);
    }
    sum = sum_over_y(sum);
    if (threadIdx.y == 0) part[blockIdx.x * kF + f] = sum;
}

// The sum of a feature's parts, by a warp; known to lane 0.
__device__ double join(int parts, const float* part) {
    double sum = 0.0;
    for (int p = threadIdx.x; p < parts; p += 32) sum += part[p * kF + blockIdx.x];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    return sum;
}

__global__ void join_mean(int nodes, int parts, const float* part, float* mean) {
    const double sum = join(parts, part);
    if (threadIdx.x == 0) mean[blockIdx.x] = (float)(sum / nodes);
}

__global__ void join_factor(int nodes, int parts, const float* part, const float* gain, float* factor) {
    const double sum = join(parts, part);
    if (threadIdx.x == 0) factor[blockIdx.x] = gain[blockIdx.x] / (float)sqrt(sum / nodes + 1e-3);
}

__global__ void normalise(size_t values, const float* mean, const float* factor, float* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < values) out[i] = (out[i] - mean[i % kF]) * factor[i % kF];
}

extern "C" void graph_layer(int nodes, int edges, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x,
                            const float* bias, const float* gain, float* out, float* mean) {
    (void)edges;
    const int parts = (nodes + kNodes - 1) / kNodes;
    float *factor = nullptr, *part = nullptr;
    const size_t values = (size_t)nodes * kF;
    cudaMallocAsync(&factor, sizeof(float) * kF, 0);
    cudaMallocAsync(&part, sizeof(float) * kF * parts, 0);
    gather<<<(nodes + 3) / 4, dim3(kF, 4)>>>(nodes, first, neighbour, weight, x, bias, out);
    add_up<<<parts, dim3(kF, 4)>>>(nodes, out, nullptr, part);
    join_mean<<<kF, 32>>>(nodes, parts, part, mean);
    add_up<<<parts, dim3(kF, 4)>>>(nodes, out, mean, part);
    join_factor<<<kF, 32>>>(nodes, parts, part, gain, factor);
    normalise<<<(unsigned)((values + 255) / 256), 256>>>(values, mean, factor, out);
    cudaFreeAsync(factor, 0);
    cudaFreeAsync(part, 0);
}
