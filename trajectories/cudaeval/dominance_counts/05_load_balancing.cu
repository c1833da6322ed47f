// Dominance counts: the offers that a block compares with are divided among more blocks, enough to fill the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

using Offer = uint2;  // an attribute a byte

constexpr int kThreads = 128;

// The attributes of offer `i`; `kWide` says that all offers begin at a multiple of 8 bytes.
template <bool kWide>
__device__ Offer load(const uint8_t* offer, int i) {
    if (kWide) return *(const uint2*)(offer + 8LL * i);
    uint32_t half[2] = {0, 0};
    for (int a = 0; a < 8; ++a) half[a / 4] |= (uint32_t)offer[8LL * i + a] << a % 4 * 8;
    return {half[0], half[1]};
}

// Whether all bytes of `one` are at most those of `other`. A bit above each byte, which holds seven, stays where nothing is borrowed.
__device__ bool at_most(uint32_t one, uint32_t other) {
    constexpr uint32_t kTops = 0x80808080u;
    return (((other | kTops) - one) & kTops) == kTops;
}

__device__ bool dominates(Offer one, Offer other) {
    return at_most(one.x, other.x) & at_most(one.y, other.y) & ((one.x != other.x) | (one.y != other.y));
}

template <bool kWide>
__global__ void count(int n, const uint8_t* __restrict__ offer, int32_t* __restrict__ dominating) {
    __shared__ Offer tile[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x, share = (n - 1) / gridDim.y + 1;
    const int begin = blockIdx.y * share, stop = min(n, begin + share);
    const Offer mine = load<kWide>(offer, min(i, n - 1));
    int found = 0;
    for (int first = begin; first < stop; first += kThreads) {
        __syncthreads();
        if (first + (int)threadIdx.x < stop) tile[threadIdx.x] = load<kWide>(offer, first + threadIdx.x);
        __syncthreads();
        const int end = min(kThreads, stop - first);
        for (int j = 0; j < end; ++j) found += dominates(tile[j], mine);
    }
    if (i < n && found > 0) atomicAdd(dominating + i, found);
}

extern "C" void dominance_counts(int n, const uint8_t* offer, int32_t* dominating) {
    cudaMemsetAsync(dominating, 0, sizeof(int32_t) * n);
    const int blocks = (n - 1) / kThreads + 1;
    const dim3 grid(blocks, std::min((n - 1) / 64 + 1, (132 * 16 - 1) / blocks + 1));  // 16 blocks for each of 132 processors
    if ((uintptr_t)offer % 8 == 0)
        count<true><<<grid, kThreads>>>(n, offer, dominating);
    else
        count<false><<<grid, kThreads>>>(n, offer, dominating);
}
