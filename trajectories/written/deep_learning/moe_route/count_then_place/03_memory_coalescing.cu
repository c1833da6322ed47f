// Expert routing: logits staged in shared memory with coalesced loads; choices numbered by count, scan, place.
#include <cuda_runtime.h>

constexpr int kChunk = 512;   // choices per chunk
constexpr int kThreads = 256;
constexpr int kTokens = 64;   // per block of the choosing kernel

__global__ void choose(int tokens, int experts, const float* logits, int* chosen, float* gate) {
    extern __shared__ float rows[];
    const int pitch = experts | 1, first = blockIdx.x * kTokens;
    const int used = min(kTokens, tokens - first) * experts;
    const float* source = logits + (size_t)first * experts;
    for (int i = threadIdx.x; i < used; i += kTokens) rows[i / experts * pitch + i % experts] = source[i];
    __syncthreads();
    int t = first + threadIdx.x;
    if (t >= tokens) return;
    const float* score = rows + threadIdx.x * pitch;
    int best = 0, next = 1;
    if (score[1] > score[0]) best = 1, next = 0;
    for (int e = 2; e < experts; ++e) {
        if (score[e] > score[best]) {
            next = best;
            best = e;
        } else if (score[e] > score[next]) {
            next = e;
        }
    }
    float share = 1.0f / (1.0f + expf(score[next] - score[best]));
    gate[2 * t] = share;
    gate[2 * t + 1] = 1.0f - share;
    chosen[2 * t] = best;
    chosen[2 * t + 1] = next;
}

// counts[e][chunk]: choices of expert e in the chunk.
__global__ void count(int choices, int experts, const int* chosen, int* counts) {
    const int begin = blockIdx.x * kChunk, end = min(begin + kChunk, choices);
    for (int e = threadIdx.x; e < experts; e += blockDim.x) {
        int found = 0;
        for (int i = begin; i < end; ++i) found += chosen[i] == e;
        counts[(size_t)e * gridDim.x + blockIdx.x] = found;
    }
}

// Exclusive sums of one expert's counts over the chunks, in place; the total is its load.
__global__ void scan_counts(int chunks, int* counts, int* load) {
    __shared__ int sums[kThreads];
    int* row = counts + (size_t)blockIdx.x * chunks;
    const int t = threadIdx.x;
    int before = 0;
    for (int first = 0; first < chunks; first += kThreads) {
        int mine = first + t < chunks ? row[first + t] : 0;
        sums[t] = mine;
        __syncthreads();
        for (int distance = 1; distance < kThreads; distance *= 2) {
            int below = t >= distance ? sums[t - distance] : 0;
            __syncthreads();
            sums[t] += below;
            __syncthreads();
        }
        if (first + t < chunks) row[first + t] = before + sums[t] - mine;
        before += sums[kThreads - 1];
        __syncthreads();
    }
    if (t == 0) load[blockIdx.x] = before;
}

__global__ void place(int choices, int experts, int capacity, const int* chosen, const int* counts, int* slot) {
    const int begin = blockIdx.x * kChunk, end = min(begin + kChunk, choices);
    for (int e = threadIdx.x; e < experts; e += blockDim.x) {
        int filled = counts[(size_t)e * gridDim.x + blockIdx.x];
        for (int i = begin; i < end; ++i) {
            if (chosen[i] != e) continue;
            slot[i] = filled < capacity ? filled : -1;
            ++filled;
        }
    }
}

extern "C" void moe_route(int tokens, int experts, int capacity, const float* logits, int* chosen, float* gate,
                          int* slot, int* load) {
    int choices = 2 * tokens, chunks = (choices - 1) / kChunk + 1;
    int* counts = nullptr;
    cudaMalloc(&counts, (size_t)experts * chunks * sizeof(int));
    size_t row_bytes = kTokens * (size_t)(experts | 1) * sizeof(float);
    choose<<<(tokens - 1) / kTokens + 1, kTokens, row_bytes>>>(tokens, experts, logits, chosen, gate);
    count<<<chunks, 64>>>(choices, experts, chosen, counts);
    scan_counts<<<experts, kThreads>>>(chunks, counts, load);
    place<<<chunks, 64>>>(choices, experts, capacity, chosen, counts, slot);
    cudaFree(counts);
}
