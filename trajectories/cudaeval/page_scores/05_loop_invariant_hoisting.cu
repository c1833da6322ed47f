// Page scores: kept as what a page gives to each that it links to, so that a link needs one value.
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

// What a page with this score gives along each link.
__device__ float share_of(float score, int links) { return links == 0 ? 0.0f : score / links; }

__global__ void start(int pages, const int32_t* links, float* share, double* lost) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    const float mine = 1.0f / pages;
    if (p < pages) share[p] = share_of(mine, links[p]);
    add_block(p < pages && links[p] == 0 ? mine : 0.0, lost);
}

// lost[0] is what this round loses, lost[1] what the next one does.
__global__ void gather(int pages, const int32_t* __restrict__ row, const int32_t* __restrict__ from, const int32_t* __restrict__ links,
                       const float* __restrict__ share, double* lost, float* __restrict__ next, float* __restrict__ score) {
    const int p = (blockIdx.x * kThreads + threadIdx.x) / kTeam, lane = threadIdx.x % kTeam;
    float mine = 0.0f, sum = 0.0f;
    int shared_among = 1;
    for (int e = p < pages ? row[p] + lane : 0, end = p < pages ? row[p + 1] : 0; e < end; e += kTeam) sum += share[from[e]];
    for (int apart = kTeam / 2; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (p < pages && lane == 0) {
        mine = (float)((0.15 + 0.85 * *lost) / pages) + 0.85f * sum;
        shared_among = links[p];
        next[p] = share_of(mine, shared_among);
        score[p] = mine;
    }
    add_block(shared_among == 0 ? mine : 0.0, lost + 1);
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
        gather<<<(pages - 1) / (kThreads / kTeam) + 1, kThreads>>>(pages, row, from, links, now, lost + round, next, score);
        float* other = now;
        now = next;
        next = other;
    }
    cudaFree(now);
    cudaFree(next);
    cudaFree(lost);
}
