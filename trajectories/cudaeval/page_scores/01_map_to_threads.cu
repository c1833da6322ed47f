// Page scores: one page a thread, two kernels a round.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void start(int pages, float* score) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p < pages) score[p] = 1.0f / pages;
}

__global__ void lose(int pages, const int32_t* links, const float* score, double* lost) {
    const int q = blockIdx.x * kThreads + threadIdx.x;
    if (q < pages && links[q] == 0) atomicAdd(lost, (double)score[q]);
}

__global__ void gather(int pages, const int32_t* row, const int32_t* from, const int32_t* links, const float* score, const double* lost,
                       float* next) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= pages) return;
    float sum = 0.0f;
    for (int e = row[p]; e < row[p + 1]; ++e) {
        const int q = from[e];
        if (links[q] != 0) sum += score[q] / links[q];
    }
    next[p] = (float)((0.15 + 0.85 * *lost) / pages) + 0.85f * sum;
}

extern "C" void page_scores(int pages, int entries, int rounds, const int32_t* row, const int32_t* from, const int32_t* links,
                            float* score) {
    const int blocks = (pages - 1) / kThreads + 1;
    float *now = nullptr, *next = nullptr;
    double* lost = nullptr;
    cudaMalloc(&now, sizeof(float) * pages);
    cudaMalloc(&next, sizeof(float) * pages);
    cudaMalloc(&lost, sizeof(double));
    start<<<blocks, kThreads>>>(pages, now);
    for (int round = 0; round < rounds; ++round) {
        cudaMemsetAsync(lost, 0, sizeof(double));
        lose<<<blocks, kThreads>>>(pages, links, now, lost);
        gather<<<blocks, kThreads>>>(pages, row, from, links, now, lost, next);
        float* other = now;
        now = next;
        next = other;
    }
    cudaMemcpyAsync(score, now, sizeof(float) * pages, cudaMemcpyDeviceToDevice);
    cudaFree(now);
    cudaFree(next);
    cudaFree(lost);
}
