// Top eight: eight warps for each row, a sorted list in the registers of each lane and a common bound.
#include <cuda_runtime.h>

constexpr int kWarps = 8;  // that share a row
constexpr int kKept = 8;
constexpr int kRounds = 16;  // between two looks at the warp's bound
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

__global__ void select(int n, const float* score, const unsigned char* allowed, int* best) {
    __shared__ Key found[kWarps * kKept];
    int row = blockIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float* scores = score + (size_t)row * n;
    List list;
    for (int first = warp * 32 * kRounds; first < n; first += kWarps * 32 * kRounds) {
        Key bound = list.keys[kKept - 1];  // eight keys of some lane are at least this large
        for (int d = 16; d > 0; d /= 2) bound = max(bound, __shfl_xor_sync(kAll, bound, d));
        int end = min(first + 32 * kRounds, n);
        for (int item = first + lane; item < end; item += 32) {
            Key key = key_of(scores[item], item);
            if (key > bound && allowed[item]) list.insert(key);
        }
    }
    for (int k = 0; k < kKept; ++k) {
        Key top = list.take_largest();
        if (lane == 0) found[warp * kKept + k] = top;
    }
    __syncthreads();
    if (warp > 0) return;
    List merged;
    for (int t = lane; t < kWarps * kKept; t += 32) merged.insert(found[t]);
    for (int k = 0; k < kKept; ++k) {
        Key top = merged.take_largest();
        if (lane == 0) best[(size_t)row * kKept + k] = item_of(top);
    }
}

extern "C" void topk_scores(int rows, int n, const float* score, const unsigned char* allowed, int* best) {
    select<<<rows, 32 * kWarps>>>(n, score, allowed, best);
}
