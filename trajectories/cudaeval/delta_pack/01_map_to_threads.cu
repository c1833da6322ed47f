// Packing differences: one group a thread; one thread finds where groups begin.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kGroup = 128;

__device__ uint32_t difference(int i, int n, const uint32_t* value) {
    return i < n ? value[i] - (i > 0 ? value[i - 1] : 0) : 0;
}

__global__ void measure(int n, int groups, const uint32_t* value, uint8_t* width) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    uint32_t any = 0;
    for (int k = 0; k < kGroup; ++k) any |= difference(g * kGroup + k, n, value);
    width[g] = 32 - __clz((int)any);
}

__global__ void place(int groups, const uint8_t* width, int32_t* start, int32_t* words) {
    int used = 0;
    for (int g = 0; g < groups; ++g) {
        start[g] = used;
        used += 4 * width[g];
    }
    start[groups] = used;
    *words = used;
}

__global__ void pack(int n, int groups, const uint32_t* value, const uint8_t* width, const int32_t* start, uint32_t* packed) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= groups) return;
    const int bits = width[g];
    uint32_t* to = packed + start[g];
    uint64_t waiting = 0;
    int held = 0;
    for (int k = 0; k < kGroup; ++k) {
        waiting |= (uint64_t)difference(g * kGroup + k, n, value) << held;
        held += bits;
        if (held < 32) continue;
        *to++ = (uint32_t)waiting;
        waiting >>= 32;
        held -= 32;
    }
}

extern "C" void delta_pack(int n, const uint32_t* value, uint8_t* width, int32_t* start, uint32_t* packed, int32_t* words) {
    const int groups = (n + kGroup - 1) / kGroup;
    measure<<<(groups + 127) / 128, 128>>>(n, groups, value, width);
    place<<<1, 1>>>(groups, width, start, words);
    pack<<<(groups + 127) / 128, 128>>>(n, groups, value, width, start, packed);
}
