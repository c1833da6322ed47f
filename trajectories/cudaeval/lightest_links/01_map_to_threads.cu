// Links: the least weight of each part by one atomic a link and end, then the lowest number that has it by another.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void least(int links, const int* part, const int* from, const int* to, const int* weight, int* low) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= links) return;
    const int a = part[from[e]], b = part[to[e]];
    if (a == b) return;
    atomicMin(&low[a], weight[e]);
    atomicMin(&low[b], weight[e]);
}

__global__ void number(int links, const int* part, const int* from, const int* to, const int* weight, const int* low, int* best) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= links) return;
    const int a = part[from[e]], b = part[to[e]];
    if (a == b) return;
    if (weight[e] == low[a]) atomicMin(reinterpret_cast<unsigned*>(&best[a]), (unsigned)e);
    if (weight[e] == low[b]) atomicMin(reinterpret_cast<unsigned*>(&best[b]), (unsigned)e);
}

__global__ void mark(int parts, const int* best, uint8_t* chosen) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p < parts && best[p] >= 0) chosen[best[p]] = 1;
}

__global__ void add_up(int links, const uint8_t* chosen, const int* weight, unsigned long long* total) {
    const int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e < links && chosen[e]) atomicAdd(total, (unsigned long long)(long long)weight[e]);
}

extern "C" void lightest_links(int vertices, int links, int parts, const int32_t* part, const int32_t* from, const int32_t* to, const int32_t* weight,
                               int32_t* best, uint8_t* chosen, int64_t* total) {
    int* low = nullptr;
    cudaMallocAsync(&low, sizeof(int) * parts, 0);
    cudaMemsetAsync(low, 0x7f, sizeof(int) * parts);
    cudaMemsetAsync(best, 0xff, sizeof(int32_t) * parts);
    cudaMemsetAsync(chosen, 0, links);
    cudaMemsetAsync(total, 0, sizeof(int64_t));
    const int blocks = (links + 255) / 256;
    least<<<blocks, 256>>>(links, part, from, to, weight, low);
    number<<<blocks, 256>>>(links, part, from, to, weight, low, best);
    mark<<<(parts + 255) / 256, 256>>>(parts, best, chosen);
    add_up<<<blocks, 256>>>(links, chosen, weight, reinterpret_cast<unsigned long long*>(total));
    cudaFreeAsync(low, 0);
}
