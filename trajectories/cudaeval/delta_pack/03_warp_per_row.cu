// Packing differences: a warp measures a group.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kGroup = 128;
constexpr unsigned kAll = 0xffffffffu;

__device__ uint32_t difference(int i, int n, const uint32_t* value) {
    return i < n ? value[i] - (i > 0 ? value[i - 1] : 0) : 0;
}

// A warp a group: its lanes take neighbouring numbers.
__global__ void measure(int n, int groups, const uint32_t* value, uint8_t* width) {
    const int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= groups) return;
    uint32_t any = 0;
    for (int k = lane; k < kGroup; k += 32) any |= difference(g * kGroup + k, n, value);
    any = __reduce_or_sync(kAll, any);
    if (lane == 0) width[g] = 32 - __clz((int)any);
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
    measure<<<(groups + 7) / 8, 256>>>(n, groups, value, width);
    place<<<1, kThreads>>>(groups, width, start, words);
    pack<<<(groups + 127) / 128, 128>>>(n, groups, value, width, start, packed);
}
