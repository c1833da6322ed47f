// Expert routing: one warp per token merges the two best of its lanes; choices numbered by count, scan, place.
#include <cuda_runtime.h>

constexpr int kChunk = 512;   // choices per chunk
constexpr int kThreads = 256;
constexpr int kTokens = 8;    // per block of the choosing kernel, a warp each

struct Pick {
    float score;
    int expert;  // kNone: nothing yet
};

constexpr int kNone = 0x7FFFFFFF;

__device__ bool ahead(Pick a, Pick b) {
    if (a.expert == kNone || b.expert == kNone) return b.expert == kNone && a.expert != kNone;
    return a.score > b.score || (a.score == b.score && a.expert < b.expert);
}

__device__ void take(Pick candidate, Pick& best, Pick& next) {
    if (ahead(candidate, best)) {
        next = best;
        best = candidate;
    } else if (ahead(candidate, next)) {
        next = candidate;
    }
}

__device__ Pick of_lane(Pick pick, int distance) {
    return {__shfl_xor_sync(0xFFFFFFFFu, pick.score, distance), __shfl_xor_sync(0xFFFFFFFFu, pick.expert, distance)};
}

__global__ void choose(int tokens, int experts, const float* logits, int* chosen, float* gate) {
    const int t = blockIdx.x * kTokens + threadIdx.y, lane = threadIdx.x;
    if (t >= tokens) return;
    const float* score = logits + (size_t)t * experts;
    Pick best{0.0f, kNone}, next{0.0f, kNone};
    for (int e = lane; e < experts; e += 32) take(Pick{score[e], e}, best, next);
    for (int distance = 16; distance > 0; distance /= 2) {
        Pick other_best = of_lane(best, distance), other_next = of_lane(next, distance);
        take(other_best, best, next);
        take(other_next, best, next);
    }
    if (lane == 0) {
        float share = 1.0f / (1.0f + expf(next.score - best.score));
        reinterpret_cast<float2*>(gate)[t] = make_float2(share, 1.0f - share);
        reinterpret_cast<int2*>(chosen)[t] = make_int2(best.expert, next.expert);
    }
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
    choose<<<(tokens - 1) / kTokens + 1, dim3(32, kTokens)>>>(tokens, experts, logits, chosen, gate);
    count<<<chunks, 64>>>(choices, experts, chosen, counts);
    scan_counts<<<experts, kThreads>>>(chunks, counts, load);
    place<<<chunks, 64>>>(choices, experts, capacity, chosen, counts, slot);
    cudaFree(counts);
}
