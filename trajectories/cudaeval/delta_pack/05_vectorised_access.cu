// Packing differences: a lane loads four numbers at once.
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

template <bool kWide>
__global__ void measure(int n, int groups, const uint32_t* value, uint8_t* width) {
    const int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    if (g >= groups) return;
    const uint4 d = differences<kWide>(g, n, value);
    const uint32_t any = __reduce_or_sync(kAll, d.x | d.y | d.z | d.w);
    if (threadIdx.x % 32 == 0) width[g] = 32 - __clz((int)any);
}

constexpr int kThreads = 1024;

// One block takes 1024 groups at a time; their running sums come from scans in the warps and over the warps.
__global__ void place(int groups, const uint8_t* width, int32_t* start, int32_t* words) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int used = 0;
    for (int first = 0; first < groups; first += kThreads) {
        const int g = first + threadIdx.x, own = g < groups ? 4 * width[g] : 0;
        int sum = own;
        for (int reach = 1; reach < 32; reach *= 2) {
            const int before = __shfl_up_sync(kAll, sum, reach);
            if (lane >= reach) sum += before;
        }
        if (lane == 31) part[warp] = sum;
        __syncthreads();
        int round = 0;
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w == warp) sum += round;
            round += part[w];
        }
        if (g < groups) start[g] = used + sum - own;
        used += round;
        __syncthreads();
    }
    if (threadIdx.x == 0) start[groups] = *words = used;
}

template <bool kWide>
__global__ void pack(int n, int groups, const uint32_t* value, const uint8_t* width, const int32_t* start, uint32_t* packed) {
    __shared__ __align__(16) uint32_t gap[kWarps][kGroup];
    const int warp = threadIdx.x / 32, g = blockIdx.x * kWarps + warp, lane = threadIdx.x % 32;
    if (g >= groups) return;
    ((uint4*)gap[warp])[lane] = differences<kWide>(g, n, value);
    __syncwarp();
    const int bits = width[g], to = start[g];
    for (int w = lane; w < 4 * bits; w += 32) packed[to + w] = word_of(w, bits, gap[warp]);
}

extern "C" void delta_pack(int n, const uint32_t* value, uint8_t* width, int32_t* start, uint32_t* packed, int32_t* words) {
    const int groups = (n + kGroup - 1) / kGroup, blocks = (groups + kWarps - 1) / kWarps;
    const bool wide = (uintptr_t)value % 16 == 0;
    (wide ? measure<true> : measure<false>)<<<blocks, 32 * kWarps>>>(n, groups, value, width);
    place<<<1, kThreads>>>(groups, width, start, words);
    (wide ? pack<true> : pack<false>)<<<blocks, 32 * kWarps>>>(n, groups, value, width, start, packed);
}
