// Page scores: all rounds are one launch, with a barrier of the whole grid between them.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

namespace cg = cooperative_groups;

constexpr int kThreads = 128, kTeam = 8;  // lanes a page

// Adds the sum of the block's values to `to`.
__device__ void add_block(double mine, double* to) {
    __shared__ double part[kThreads / 32];
    for (int apart = 16; apart > 0; apart /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
    __syncthreads();
    if (threadIdx.x != 0) return;
    for (int w = 1; w < kThreads / 32; ++w) mine += part[w];
    if (mine != 0.0) atomicAdd(to, mine);
}

// What a page with this score gives along each link.
__device__ float share_of(float score, int links) { return links == 0 ? 0.0f : score / links; }

// Round by round, each block with every gridDim.x-th group of pages. lost[round] is what a round loses, and holds 0 before.
__global__ void iterate(int pages, int rounds, const int32_t* __restrict__ row, const int32_t* __restrict__ from,
                        const int32_t* __restrict__ links, float* now, float* next, double* lost, float* __restrict__ score) {
    const cg::grid_group grid = cg::this_grid();
    const int lane = threadIdx.x % kTeam, step = gridDim.x * (kThreads / kTeam);
    double dropped = 0.0;
    for (int p = blockIdx.x * kThreads + threadIdx.x; p < pages; p += gridDim.x * kThreads) {
        now[p] = share_of(1.0f / pages, links[p]);
        if (links[p] == 0) dropped += 1.0f / pages;
    }
    for (int round = 0; round < rounds; ++round) {
        add_block(dropped, lost + round);
        grid.sync();
        const float base = (float)((0.15 + 0.85 * lost[round]) / pages);
        dropped = 0.0;
        for (int first = blockIdx.x * (kThreads / kTeam); first < pages; first += step) {
            const int p = first + threadIdx.x / kTeam;
            float sum = 0.0f;
            for (int e = p < pages ? row[p] + lane : 0, end = p < pages ? row[p + 1] : 0; e < end; e += kTeam) sum += now[from[e]];
            for (int apart = kTeam / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
            if (p >= pages || lane != 0) continue;
            const float mine = base + 0.85f * sum;
            next[p] = share_of(mine, links[p]);
            score[p] = mine;
            if (links[p] == 0) dropped += mine;
        }
        float* other = now;
        now = next;
        next = other;
    }
}

extern "C" void page_scores(int pages, int entries, int rounds, const int32_t* row, const int32_t* from, const int32_t* links,
                            float* score) {
    int blocks = 0, processors = 0;
    cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, iterate, kThreads, 0);
    blocks = std::min(processors * blocks, (pages - 1) / (kThreads / kTeam) + 1);  // all of them resident
    float *now = nullptr, *next = nullptr;
    double* lost = nullptr;
    cudaMalloc(&now, sizeof(float) * pages);
    cudaMalloc(&next, sizeof(float) * pages);
    cudaMalloc(&lost, sizeof(double) * rounds);
    cudaMemsetAsync(lost, 0, sizeof(double) * rounds);
    void* given[] = {&pages, &rounds, &row, &from, &links, &now, &next, &lost, &score};
    cudaLaunchCooperativeKernel((const void*)iterate, dim3(blocks), dim3(kThreads), given, 0, nullptr);
    cudaFree(now);
    cudaFree(next);
    cudaFree(lost);
}
