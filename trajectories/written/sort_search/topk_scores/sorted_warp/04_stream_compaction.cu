// Top eight: a warp for each row keeps the 32 best sorted across its lanes.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // rows of a block
constexpr int kKept = 8;
using Key = unsigned long long;
constexpr unsigned kAll = 0xffffffffu;

// Larger for a higher score, then for the lower item; 0 stands for no item.
__device__ Key key_of(float score, int item) {
    unsigned bits = __float_as_uint(score + 0.0f);  // -0 becomes 0
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return (Key)bits << 32 | (unsigned)~item;
}

__device__ int item_of(Key key) { return key == 0 ? -1 : (int)~(unsigned)key; }

// Sorts one key for each lane in ascending order.
__device__ Key sort_ascending(Key key, int lane) {
    for (int size = 2; size <= 32; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            Key other = __shfl_xor_sync(kAll, key, stride);
            bool keeps_low = ((lane & stride) == 0) == ((lane & size) == 0);
            key = keeps_low ? min(key, other) : max(key, other);
        }
    }
    return key;
}

// The 32 largest of the sorted list and 32 new keys, sorted in descending order.
__device__ Key merge(Key list, Key fresh, int lane) {
    list = max(list, sort_ascending(fresh, lane));
    for (int stride = 16; stride > 0; stride /= 2) {
        Key other = __shfl_xor_sync(kAll, list, stride);
        list = (lane & stride) == 0 ? max(list, other) : min(list, other);
    }
    return list;
}

__global__ void select(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // whole warps leave
    const float* scores = score + (size_t)row * n;
    __shared__ Key buffers[kWarps][64];
    Key* buffer = buffers[threadIdx.x / 32];
    int held = 0;
    Key list = 0;
    for (int first = 0; first < n; first += 32) {
        int item = first + lane;
        Key key = item < n && allowed[item] ? key_of(scores[item], item) : 0;
        Key limit = __shfl_sync(kAll, list, kKept - 1);
        unsigned passing = __ballot_sync(kAll, key > limit);
        if (passing == 0) continue;
        if (key > limit) buffer[held + __popc(passing & ((1u << lane) - 1))] = key;
        held += __popc(passing);
        __syncwarp();
        if (held < 32) continue;
        list = merge(list, buffer[lane], lane);
        held -= 32;
        Key moved = lane < held ? buffer[32 + lane] : 0;
        __syncwarp();
        if (lane < held) buffer[lane] = moved;
        __syncwarp();
    }
    list = merge(list, lane < held ? buffer[lane] : 0, lane);
    if (lane < kKept) best[(size_t)row * kKept + lane] = item_of(list);
}

extern "C" void topk_scores(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    select<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, n, score, allowed, best);
}
