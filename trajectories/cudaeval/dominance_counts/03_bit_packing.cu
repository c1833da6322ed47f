// Dominance counts: four attributes are compared at once.
#include <cuda_runtime.h>

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
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const Offer mine = load<kWide>(offer, i);
    int found = 0;
    for (int j = 0; j < n; ++j) found += dominates(load<kWide>(offer, j), mine);
    dominating[i] = found;
}

extern "C" void dominance_counts(int n, const uint8_t* offer, int32_t* dominating) {
    if ((uintptr_t)offer % 8 == 0)
        count<true><<<(n - 1) / kThreads + 1, kThreads>>>(n, offer, dominating);
    else
        count<false><<<(n - 1) / kThreads + 1, kThreads>>>(n, offer, dominating);
}
