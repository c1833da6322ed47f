// Ranks: a warp sorts a whole row in registers, 32 marks a lane: two rounds of three stay within lanes, and no barrier is left.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4, kMost = 1024;

// A place in shared memory with one word left out after every 32.
__device__ int padded(int i) { return i + i / 32; }

// All of a warp's 1024 marks in registers, place 32 lane + r: rounds up to 16 apart are within a lane, others between lanes.
__device__ void sort(int lane, int* own) {
#pragma unroll
    for (int length = 2; length <= kMost; length *= 2) {
#pragma unroll
        for (int apart = length / 2; apart >= 32; apart /= 2) {
            const bool least = ((lane & apart / 32) == 0) == ((lane & length / 32) == 0);
#pragma unroll
            for (int r = 0; r < 32; ++r) {
                const int other = __shfl_xor_sync(0xffffffffu, own[r], apart / 32);
                own[r] = least ? min(own[r], other) : max(own[r], other);
            }
        }
#pragma unroll
        for (int apart = length / 2 < 16 ? length / 2 : 16; apart > 0; apart /= 2) {
#pragma unroll
            for (int r = 0; r < 32; ++r) {
                if (r & apart) continue;
                const bool rises = length < 32 ? (r & length) == 0 : (lane & length / 32) == 0;
                const int low = min(own[r], own[r | apart]), high = max(own[r], own[r | apart]);
                own[r] = rises ? low : high;
                own[r | apart] = rises ? high : low;
            }
        }
    }
}

// the first place whose mark is not below `mark`, or the first above it
__device__ int place(int n, const int* key, int mark, bool above) {
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (key[padded(middle)] < mark || (above && key[padded(middle)] == mark)) low = middle + 1;
        else high = middle;
    }
    return low;
}

__global__ void rank(int subjects, int n, const int* __restrict__ a, const int* __restrict__ b, int64_t* distance, int64_t* ties) {
    __shared__ int keys[kWarps][kMost + kMost / 32];
    __shared__ uint16_t twice_of[kWarps][kMost];  // ranks by the first rater
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, s = blockIdx.x * kWarps + warp;
    if (s >= subjects) return;
    int* key = keys[warp];
    uint16_t* twice = twice_of[warp];
    long long far = 0, tied = 0;
    for (int rater = 0; rater < 2; ++rater) {
        const int* row = (rater ? b : a) + (size_t)s * n;
        int own[32];  // in what order marks begin does not matter
#pragma unroll
        for (int r = 0; r < 32; ++r) own[r] = 32 * r + lane < n ? row[32 * r + lane] : 0x7fffffff;
        sort(lane, own);
        __syncwarp();
#pragma unroll
        for (int r = 0; r < 32; ++r) key[padded(32 * lane + r)] = own[r];
        __syncwarp();
        for (int i = lane; i < n; i += 32) {
            const int from = place(n, key, row[i], false), to = place(n, key, row[i], true), same = to - from;
            tied += (long long)same * same - 1;
            if (rater == 0) {
                twice[i] = from + to + 1;
            } else {
                const long long difference = twice[i] - (from + to + 1);
                far += difference * difference;
            }
        }
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        far += __shfl_xor_sync(0xffffffffu, far, apart);
        tied += __shfl_xor_sync(0xffffffffu, tied, apart);
    }
    if (lane) return;
    distance[s] = far;
    ties[s] = tied;
}

extern "C" void tied_ranks(int subjects, int n, const int32_t* a, const int32_t* b, int64_t* distance, int64_t* ties) {
    rank<<<(subjects + kWarps - 1) / kWarps, 32 * kWarps>>>(subjects, n, a, b, distance, ties);
}
