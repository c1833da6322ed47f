// Graph layer: sixteen lanes read sixteen edges in one piece and pass them round.
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>

constexpr int kF = 64;
constexpr int kNodes = 16;  // a block

__global__ void gather(int nodes, const int32_t* __restrict__ first, const int32_t* __restrict__ neighbour,
                       const float* __restrict__ weight, const float4* __restrict__ x, const float4* __restrict__ bias,
                       float4* __restrict__ out, double2* __restrict__ part) {
    __shared__ float rows[kNodes][kF];
    const int team = threadIdx.x / 16, lane = threadIdx.x % 16, v = blockIdx.x * kNodes + team;
    float4 sum = {};
    if (v < nodes) {
        sum = bias[lane];
        const int end = first[v + 1];
        const unsigned team_mask = 0xffffu << (threadIdx.x & 16);
        for (int start = first[v]; start < end; start += 16) {
            const int own = start + lane < end ? neighbour[start + lane] : 0, edges = min(16, end - start);
            const float share = start + lane < end ? weight[start + lane] : 0.0f;
            for (int k = 0; k < edges; ++k) {
                const float w = __shfl_sync(team_mask, share, k, 16);
                const float4 from = x[(size_t)__shfl_sync(team_mask, own, k, 16) * 16 + lane];
                sum = {sum.x + w * from.x, sum.y + w * from.y, sum.z + w * from.z, sum.w + w * from.w};
            }
        }
        sum = {fmaxf(sum.x, 0.0f), fmaxf(sum.y, 0.0f), fmaxf(sum.z, 0.0f), fmaxf(sum.w, 0.0f)};
        out[(size_t)v * 16 + lane] = sum;
    }
    reinterpret_cast<float4*>(rows[team])[lane] = sum;
    __syncthreads();
    if (threadIdx.x >= kF) return;
    double2 total = {};
#pragma unroll
    for (int r = 0; r < kNodes; ++r) {
        const float value = rows[r][threadIdx.x];
        total.x += value;
        total.y += (double)value * value;
    }
    part[blockIdx.x * kF + threadIdx.x] = total;
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

__global__ void normalise(size_t pieces, const float4* mean, const float4* factor, float4* out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pieces) return;
    const float4 v = out[i], m = mean[i % 16], f = factor[i % 16];
    out[i] = {(v.x - m.x) * f.x, (v.y - m.y) * f.y, (v.z - m.z) * f.z, (v.w - m.w) * f.w};
}

extern "C" void graph_layer(int nodes, int edges, const int32_t* first, const int32_t* neighbour, const float* weight, const float* x,
                            const float* bias, const float* gain, float* out, float* mean) {
    (void)edges;
    const int parts = (nodes + kNodes - 1) / kNodes;
    float* factor = nullptr;
    double2* part = nullptr;
    const size_t pieces = (size_t)nodes * 16;
    cudaMallocAsync(&factor, sizeof(float) * kF, 0);
    cudaMallocAsync(&part, sizeof(double2) * kF * parts, 0);
    float4* rows = reinterpret_cast<float4*>(out);
    gather<<<parts, 16 * kNodes>>>(nodes, first, neighbour, weight, reinterpret_cast<const float4*>(x),
                                   reinterpret_cast<const float4*>(bias), rows, part);
    join<<<kF, 32>>>(nodes, parts, part, gain, mean, factor);
    normalise<<<(unsigned)((pieces + 255) / 256), 256>>>(pieces, reinterpret_cast<const float4*>(mean),
                                                         reinterpret_cast<const float4*>(factor), rows);
    cudaFreeAsync(factor, 0);
    cudaFreeAsync(part, 0);
}
