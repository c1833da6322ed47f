// Ranking: a warp sorts each list by a bitonic network in registers; a kernel for each class of lengths.
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

constexpr int kClasses = 4, kMaxBlocks = 2112;

// Appends each row with something to sort to the queue of its length; waiting[c] counts the rows of queue c.
__global__ void classify(int rows, const int* length, int* waiting, int* queues) {
    int row = blockIdx.x * 32 * kWarps + threadIdx.x;
    int count = row < rows ? length[row] : 0, lane = threadIdx.x % 32;
    int kind = count < 2 ? -1 : count <= 32 ? 0 : count <= 64 ? 1 : count <= 128 ? 2 : 3;
    unsigned same = __match_any_sync(kAll, kind);
    int leader = __ffs((int)same) - 1, base = 0;
    if (lane == leader && kind >= 0) base = atomicAdd(&waiting[kind], __popc(same));
    base = __shfl_sync(kAll, base, leader);
    if (kind >= 0) queues[(size_t)kind * rows + base + __popc(same & ((1u << lane) - 1))] = row;
}

template <int kPer>
__global__ void rank(const int* waiting, const int* queue, int width, const int* length, int* score, int* doc) {
    int lane = threadIdx.x % 32;
    for (int t = blockIdx.x * kWarps + threadIdx.x / 32; t < *waiting; t += gridDim.x * kWarps) {
        size_t start = (size_t)queue[t] * width;
        rank_list<kPer>(length[queue[t]], score + start, doc + start, lane);
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    int* waiting = nullptr;
    cudaMalloc(&waiting, (kClasses + (size_t)kClasses * rows) * sizeof(int));
    int* queues = waiting + kClasses;
    cudaMemsetAsync(waiting, 0, kClasses * sizeof(int));
    classify<<<(rows - 1) / (32 * kWarps) + 1, 32 * kWarps>>>(rows, length, waiting, queues);
    int needed = (rows - 1) / kWarps + 1, blocks = needed < kMaxBlocks ? needed : kMaxBlocks, threads = 32 * kWarps;
    size_t each = rows;
    rank<1><<<blocks, threads>>>(waiting, queues, width, length, score, doc);
    if (width > 32) rank<2><<<blocks, threads>>>(waiting + 1, queues + each, width, length, score, doc);
    if (width > 64) rank<4><<<blocks, threads>>>(waiting + 2, queues + 2 * each, width, length, score, doc);
    if (width > 128) rank<8><<<blocks, threads>>>(waiting + 3, queues + 3 * each, width, length, score, doc);
    cudaFree(waiting);
}
