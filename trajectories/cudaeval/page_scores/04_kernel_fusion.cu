// Page scores: the kernel of a round also adds up what the next one loses.
#include <cuda_runtime.h>

#include <cstdint>

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

__global__ void start(int pages, const int32_t* links, float* score, double* lost) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    const float mine = 1.0f / pages;
    if (p < pages) score[p] = mine;
    add_block(p < pages && links[p] == 0 ? mine : 0.0, lost);
}

// lost[0] is what this round loses, lost[1] what the next one does.
__global__ void gather(int pages, const int32_t* row, const int32_t* from, const int32_t* links, const float* score, double* lost,
                       float* next) {
    const int p = (blockIdx.x * kThreads + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
    float mine = 0.0f, sum = 0.0f;
    for (int e = p < pages ? row[p] + lane : 0, end = p < pages ? row[p + 1] : 0; e < end; e += kTeam) {
        const int q = from[e];
        if (links[q] != 0) sum += score[q] / links[q];
    }
    for (int apart = kTeam / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (p < pages && lane == 0) {
        mine = (float)((0.15 + 0.85 * *lost) / pages) + 0.85f * sum;
        next[p] = mine;
    }
    add_block(p < pages && lane == 0 && links[p] == 0 ? mine : 0.0, lost + 1);
}

extern "C" void page_scores(int pages, int entries, int rounds, const int32_t* row, const int32_t* from, const int32_t* links,
                            float* score) {
    const int blocks = (pages - 1) / kThreads + 1;
    float *now = nullptr, *next = nullptr;
    double* lost = nullptr;
    cudaMalloc(&now, sizeof(float) * pages);
    cudaMalloc(&next, sizeof(float) * pages);
    cudaMalloc(&lost, sizeof(double) * (rounds + 1));
    cudaMemsetAsync(lost, 0, sizeof(double) * (rounds + 1));
    start<<<blocks, kThreads>>>(pages, links, now, lost);
    for (int round = 0; round < rounds; ++round) {
        gather<<<(pages - 1) / (kThreads / kTeam) + 1, kThreads>>>(pages, row, from, links, now, lost + round, next);
        float* other = now;
        now = next;
        next = other;
    }
    cudaMemcpyAsync(score, now, sizeof(float) * pages, cudaMemcpyDeviceToDevice);
    cudaFree(now);
    cudaFree(next);
    cudaFree(lost);
}
