// Packing differences: one launch, in which blocks learn from those before them where they begin.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kGroup = 128;
constexpr unsigned kAll = 0xffffffffu;

// Differences 4 * lane .. 4 * lane + 3 of a group.
template <bool kWide>
__device__ uint4 differences(int g, int n, const uint32_t* value) {
    const int lane = threadIdx.x % 32, i = g * kGroup + 4 * lane;
    uint4 v = {0, 0, 0, 0};
    if (kWide && i + 4 <= n) {
        v = *(const uint4*)(value + i);
    } else if (i < n) {
        const uint32_t last = value[n - 1];
        v = {value[i], i + 1 < n ? value[i + 1] : last, i + 2 < n ? value[i + 2] : last, i + 3 < n ? value[i + 3] : last};
    }
    uint32_t before = __shfl_up_sync(kAll, v.w, 1);
    if (lane == 0) before = i > 0 && i < n ? value[i - 1] : 0;
    if (i >= n) return {0, 0, 0, 0};
    return {v.x - before, v.y - v.x, v.z - v.y, v.w - v.z};
}

// Word `w` of a group whose differences, of `bits` bits each, lie in `gap`.
__device__ uint32_t word_of(int w, int bits, const uint32_t* gap) {
    uint32_t word = 0;
    for (int k = 32 * w / bits; k < kGroup && k * bits < 32 * w + 32; ++k) {
        const int shift = k * bits - 32 * w;
        word |= shift >= 0 ? gap[k] << shift : gap[k] >> -shift;
    }
    return word;
}

constexpr int kWarps = 8;

using State = unsigned long long;  // of a block: a number of words under one of these marks

constexpr State kOwn = 1ull << 40, kUpTo = 2ull << 40, kWords = kOwn - 1;

// How many words the blocks before `b` take, by looking back from block to block. Blocks take their numbers in the order in which they
// start, so that those before are running or done.
__device__ int words_before(int b, State* state) {
    State sum = 0;
    for (int other = b - 1; other >= 0; --other) {
        State theirs = 0;
        while (theirs == 0) theirs = atomicAdd(state + other, 0ull);
        sum += theirs & kWords;
        if (theirs >= kUpTo) break;
    }
    return (int)sum;
}

// state[0] counts the blocks that have started; the others follow.
template <bool kWide>
__global__ void pack(int n, int groups, const uint32_t* value, State* state, uint8_t* width, int32_t* start, uint32_t* packed,
                     int32_t* words) {
    __shared__ __align__(16) uint32_t gap[kWarps][kGroup];
    __shared__ int number, before, need[kWarps];
    if (threadIdx.x == 0) number = (int)atomicAdd(state, 1ull);
    __syncthreads();
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, b = number, g = b * kWarps + warp;
    const uint4 d = differences<kWide>(g, n, value);
    ((uint4*)gap[warp])[lane] = d;
    const int bits = 32 - __clz((int)__reduce_or_sync(kAll, d.x | d.y | d.z | d.w));
    if (lane == 0) need[warp] = 4 * bits;
    __syncthreads();
    int to = 0, all = 0;
    for (int w = 0; w < kWarps; ++w) {
        if (w == warp) to = all;
        all += need[w];
    }
    if (threadIdx.x == 0) {
        if (b > 0) atomicExch(state + 1 + b, kOwn | (State)all);
        before = words_before(b, state + 1);
        atomicExch(state + 1 + b, kUpTo | (State)(before + all));
        if (b == (int)gridDim.x - 1) start[groups] = *words = before + all;
    }
    __syncthreads();
    if (g >= groups) return;
    to += before;
    if (lane == 0) {
        width[g] = bits;
        start[g] = to;
    }
    for (int w = lane; w < 4 * bits; w += 32) packed[to + w] = word_of(w, bits, gap[warp]);
}

extern "C" void delta_pack(int n, const uint32_t* value, uint8_t* width, int32_t* start, uint32_t* packed, int32_t* words) {
    const int groups = (n + kGroup - 1) / kGroup, blocks = (groups + kWarps - 1) / kWarps;
    State* state = nullptr;
    cudaMalloc(&state, sizeof(State) * (blocks + 1));
    cudaMemsetAsync(state, 0, sizeof(State) * (blocks + 1));
    if ((uintptr_t)value % 16 == 0)
        pack<true><<<blocks, 32 * kWarps>>>(n, groups, value, state, width, start, packed, words);
    else
        pack<false><<<blocks, 32 * kWarps>>>(n, groups, value, state, width, start, packed, words);
    cudaFree(state);
}
