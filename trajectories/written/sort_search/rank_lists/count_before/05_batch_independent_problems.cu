// Ranking: a warp counts, for each entry of a list, the entries that go before it.
#include <cuda_runtime.h>

constexpr int kWarps = 4;        // lists of a block
constexpr int kEach = 8;         // entries of a lane, 256 in all
constexpr int kMaxWidth = 256;

using Key = unsigned long long;
constexpr unsigned kSign = 0x80000000u;

__global__ void rank(int rows, int width, const int* length, int* score, int* doc) {
    __shared__ Key lists[kWarps][kMaxWidth];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.x * kWarps + warp;
    if (row >= rows) return;  // whole warps leave
    int* s = score + (size_t)row * width;
    int* d = doc + (size_t)row * width;
    Key* keys = lists[warp];
    int count = length[row];
    Key own[kEach];
    int place[kEach] = {};
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        int i = 32 * k + lane;
        own[k] = 0;
        if (i < count) keys[i] = own[k] = (Key) ~((unsigned)s[i] ^ kSign) << 32 | ((unsigned)d[i] ^ kSign);
    }
    __syncwarp();
    for (int j = 0; j < count; ++j) {
        Key other = keys[j];
#pragma unroll
        for (int k = 0; k < kEach; ++k) {
            if (32 * k >= count) break;
            bool before = other < own[k] || (other == own[k] && j < 32 * k + lane);
            place[k] += before ? 1 : 0;
        }
    }
#pragma unroll
    for (int k = 0; k < kEach; ++k) {
        if (32 * k + lane >= count) continue;
        s[place[k]] = (int)(~(unsigned)(own[k] >> 32) ^ kSign);
        d[place[k]] = (int)((unsigned)own[k] ^ kSign);
    }
}

extern "C" void rank_lists(int rows, int width, const int* length, int* score, int* doc) {
    rank<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, width, length, score, doc);
}
