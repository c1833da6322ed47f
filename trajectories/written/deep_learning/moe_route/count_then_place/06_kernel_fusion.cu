// Expert routing: a block chooses for the tokens of a chunk and counts; a warp per chunk ranks by matching.
#include <cuda_runtime.h>

constexpr int kChunk = 512;   // choices per chunk
constexpr int kThreads = 256;
constexpr int kTokens = 8;    // warps of the choosing kernel, a token each at a time

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

constexpr int kMaxExperts = 128;

// counts[e][chunk]: choices of expert e in the chunk; a block is a chunk.
__global__ void choose(int tokens, int experts, const float* logits, int* chosen, float* gate, int* counts) {
    __shared__ int found[kMaxExperts];
    const int lane = threadIdx.x, thread = threadIdx.y * 32 + lane;
    for (int e = thread; e < experts; e += 32 * kTokens) found[e] = 0;
    __syncthreads();
    const int first = blockIdx.x * (kChunk / 2), end = min(first + kChunk / 2, tokens);
    for (int t = first + threadIdx.y; t < end; t += kTokens) {
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
            atomicAdd(&found[best.expert], 1);
            atomicAdd(&found[next.expert], 1);
        }
    }
    __syncthreads();
    for (int e = thread; e < experts; e += 32 * kTokens) counts[(size_t)e * gridDim.x + blockIdx.x] = found[e];
}

// The place of this lane's choice among those of its expert; moves the counters on by the warp's choices.
__device__ int ranked(int expert, bool used, int* filled) {
    const unsigned int below = (1u << threadIdx.x) - 1;
    unsigned int same = __match_any_sync(0xFFFFFFFFu, used ? expert : -1);
    int first = used ? filled[expert] : 0;
    __syncwarp();
    if (used && (same & below) == 0) filled[expert] = first + __popc(same);
    __syncwarp();
    return first + __popc(same & below);
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
    __shared__ int filled[kMaxExperts];
    const int begin = blockIdx.x * kChunk, end = min(begin + kChunk, choices), lane = threadIdx.x;
    for (int e = lane; e < experts; e += 32) filled[e] = counts[(size_t)e * gridDim.x + blockIdx.x];
    __syncwarp();
    for (int i = begin + lane; i - lane < end; i += 32) {
        int rank = ranked(i < end ? chosen[i] : 0, i < end, filled);
        if (i < end) slot[i] = rank < capacity ? rank : -1;
    }
}

extern "C" void moe_route(int tokens, int experts, int capacity, const float* logits, int* chosen, float* gate,
                          int* slot, int* load) {
    int choices = 2 * tokens, chunks = (choices - 1) / kChunk + 1;
    int* counts = nullptr;
    cudaMalloc(&counts, (size_t)experts * chunks * sizeof(int));
    choose<<<chunks, dim3(32, kTokens)>>>(tokens, experts, logits, chosen, gate, counts);
    scan_counts<<<experts, kThreads>>>(chunks, counts, load);
    place<<<chunks, 32>>>(choices, experts, capacity, chosen, counts, slot);
    cudaFree(counts);
}
