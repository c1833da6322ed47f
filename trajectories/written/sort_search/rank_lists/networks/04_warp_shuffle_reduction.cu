// Ranking: a warp sorts each list by a bitonic network on 64-bit keys in registers.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // lists of a block

using Key = unsigned long long;
constexpr unsigned kSign = 0x80000000u, kAll = 0xffffffffu;
constexpr Key kLast = ~0ull;  // fills lists up

// Ascending keys are falling scores, then rising document numbers.
__device__ Key key_of(int score, int doc) { return (Key) ~((unsigned)score ^ kSign) << 32 | ((unsigned)doc ^ kSign); }
__device__ int score_of(Key key) { return (int)(~(unsigned)(key >> 32) ^ kSign); }
__device__ int doc_of(Key key) { return (int)((unsigned)key ^ kSign); }

// Sorts 32 * kPer keys: entry 32 * k + lane is keys[k] of that lane.
template <int kPer>
__device__ void sort(Key (&keys)[kPer], int lane) {
#pragma unroll
    for (int size = 2; size <= 32 * kPer; size *= 2) {
#pragma unroll
        for (int stride = size / 2; stride > 0; stride /= 2) {
#pragma unroll
            for (int k = 0; k < kPer; ++k) {
                bool ascending = ((32 * k + lane) & size) == 0;
                if (stride < 32) {
                    Key other = __shfl_xor_sync(kAll, keys[k], stride);
                    bool keeps_low = ((lane & stride) == 0) == ascending;
                    keys[k] = keeps_low ? min(keys[k], other) : max(keys[k], other);
                } else if ((32 * k & stride) == 0) {
                    int partner = k + stride / 32;
                    Key low = min(keys[k], keys[partner]), high = max(keys[k], keys[partner]);
                    keys[k] = ascending ? low : high;
                    keys[partner] = ascending ? high : low;
                }
            }
        }
    }
}

template <int kPer>
__device__ void rank_list(int count, int* score, int* doc, int lane) {
    Key keys[kPer];
#pragma unroll
    for (int k = 0; k < kPer; ++k) {
        int i = 32 * k + lane;
        keys[k] = i < count ? key_of(score[i], doc[i]) : kLast;
    }
    sort<kPer>(keys, lane);
#pragma unroll
    for (int k = 0; k < kPer; ++k) {
        int i = 32 * k + lane;
        if (i >= count) continue;
        score[i] = score_of(keys[k]);
        doc[i] = doc_of(keys[k]);
    }
}

__global__ void rank(int rows, int width, const int* length, int* score, int* doc) {
    int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // whole warps leave
    size_t start = (size_t)row * width;
    int count = length[row];
    if (count <= 32) rank_list<1>(count, score + start, doc + start, lane);
    else if (count <= 64) rank_list<2>(count, score + start, doc + start, lane);
    else if (count <= 128) rank_list<4>(count, score + start, doc + start, lane);
    else rank_list<8>(count, score + start, doc + start, lane);
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, width, length, score, doc);
}
