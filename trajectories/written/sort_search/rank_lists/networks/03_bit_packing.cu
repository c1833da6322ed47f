// Ranking: a warp sorts each list by a bitonic network on 64-bit keys in shared memory.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // lists of a block
constexpr int kMaxWidth = 256;

using Key = unsigned long long;
constexpr unsigned kSign = 0x80000000u;
constexpr Key kLast = ~0ull;  // fills lists up

// Ascending keys are falling scores, then rising document numbers.
__device__ Key key_of(int score, int doc) { return (Key) ~((unsigned)score ^ kSign) << 32 | ((unsigned)doc ^ kSign); }
__device__ int score_of(Key key) { return (int)(~(unsigned)(key >> 32) ^ kSign); }
__device__ int doc_of(Key key) { return (int)((unsigned)key ^ kSign); }

__global__ void rank(int rows, int width, const int* length, int* score, int* doc) {
    __shared__ Key lists[kWarps][kMaxWidth];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * kWarps + warp;
    if (row >= rows) return;  // whole warps leave
    Key* keys = lists[warp];
    size_t start = (size_t)row * width;
    int count = length[row], places = 32;
    while (places < count) places *= 2;
    for (int i = lane; i < places; i += 32) keys[i] = i < count ? key_of(score[start + i], doc[start + i]) : kLast;
    __syncwarp();
    for (int size = 2; size <= places; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            for (int t = lane; t < places / 2; t += 32) {
                int i = 2 * t - (t & (stride - 1)), j = i + stride;
                Key low = min(keys[i], keys[j]), high = max(keys[i], keys[j]);
                bool ascending = (i & size) == 0;
                keys[i] = ascending ? low : high;
                keys[j] = ascending ? high : low;
            }
            __syncwarp();
        }
    }
    for (int i = lane; i < count; i += 32) {
        score[start + i] = score_of(keys[i]);
        doc[start + i] = doc_of(keys[i]);
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, width, length, score, doc);
}
