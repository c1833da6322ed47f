// Graph layer: sums and squares are added up in one pass.
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

// Adds up a value and its square, 64 x 4 threads, over y, for threads with y 0.
__device__ double2 sum_over_y(double2 mine) {
    __shared__ double2 part[4][kF];
    part[threadIdx.y][threadIdx.x] = mine;
    __syncthreads();
    for (int y = 1; y < 4 && threadIdx.y == 0; ++y) mine.x += part[y][threadIdx.x].x, mine.y += part[y][threadIdx.x].y;
    return mine;
}

__global__ void add_up(int nodes, const float* out, double2* part) {
    const int f = threadIdx.x, last = min((blockIdx.x + 1) * kNodes, nodes);
    double2 sum = {};
    for (int v = blockIdx.x * kNodes + threadIdx.y; v < last; v += 4) {
        const float value = out[(size_t)v * kF + f];
        sum.x += value;
        sum.y += (double)value * value;
    }
    sum = sum_over_y(sum);
    if (threadIdx.y == 0) part[blockIdx.x * kF + f] = sum;
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
    gather<<<(nodes + 3) / 4, dim3(kF, 4)>>>(nodes, first, neighbour, weight, x, bias, out);
    add_up<<<parts, dim3(kF, 4)>>>(nodes, out, part);
    join<<<kF, 32>>>(nodes, parts, part, gain, mean, factor);
    normalise<<<(unsigned)((values + 255) / 256), 256>>>(values, mean, factor, out);
    cudaFreeAsync(factor, 0);
    cudaFreeAsync(part, 0);
}
