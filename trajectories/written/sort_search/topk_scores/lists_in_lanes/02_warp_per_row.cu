// Top eight: a warp for each row, a sorted list in the registers of each lane.
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

struct List {
    Key keys[kKept] = {};  // in descending order

    __device__ void insert(Key key) {
        if (key <= keys[kKept - 1]) return;
        keys[kKept - 1] = key;
#pragma unroll
        for (int p = kKept - 1; p > 0; --p) {
            Key high = max(keys[p - 1], keys[p]), low = min(keys[p - 1], keys[p]);
            keys[p - 1] = high;
            keys[p] = low;
        }
    }
    // The largest key of the warp's lists, which is removed from its list. All lanes call it together.
    __device__ Key take_largest() {
        Key top = keys[0];
        for (int d = 16; d > 0; d /= 2) top = max(top, __shfl_xor_sync(kAll, top, d));
        if (keys[0] == top) {
#pragma unroll
            for (int p = 1; p < kKept; ++p) keys[p - 1] = keys[p];
            keys[kKept - 1] = 0;
        }
        return top;
    }
};

__global__ void select(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    int row = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;  // whole warps leave
    const float* scores = score + (size_t)row * n;
    List list;
    for (int item = lane; item < n; item += 32)
        if (allowed[item]) list.insert(key_of(scores[item], item));
    for (int k = 0; k < kKept; ++k) {
        Key top = list.take_largest();
        if (lane == 0) best[(size_t)row * kKept + k] = item_of(top);
    }
}

extern "C" void topk_scores(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    select<<<(rows - 1) / kWarps + 1, 32 * kWarps>>>(rows, n, score, allowed, best);
}
