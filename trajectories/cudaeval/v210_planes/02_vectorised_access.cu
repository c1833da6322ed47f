// Packed 10-bit video: groups are 16-byte loads; a block puts its part of each plane together in shared memory and writes it in words.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// Writes `count` samples to one plane; words where the plane is aligned.
__device__ void write_plane(const uint16_t* from, int count, uint16_t* to) {
    if ((size_t)to % 4 != 0) {
        for (int k = threadIdx.x; k < count; k += kThreads) to[k] = from[k];
        return;
    }
    for (int k = threadIdx.x; k < count / 2; k += kThreads) ((uint32_t*)to)[k] = ((const uint32_t*)from)[k];
    if (count % 2 == 1 && threadIdx.x == 0) to[count - 1] = from[count - 1];
}

__global__ void unpack(size_t groups, const uint32_t* packed, uint16_t* luma, uint16_t* blue, uint16_t* red) {
    __shared__ __align__(4) uint16_t lumas[6 * kThreads], blues[3 * kThreads], reds[3 * kThreads];
    const size_t first = (size_t)blockIdx.x * kThreads, g = first + threadIdx.x;
    const int here = (int)min((size_t)kThreads, groups - first);
    if (g < groups) {
        uint4 word;
        if ((size_t)packed % sizeof(uint4) == 0)
            word = ((const uint4*)packed)[g];
        else
            word = make_uint4(packed[4 * g], packed[4 * g + 1], packed[4 * g + 2], packed[4 * g + 3]);
        const int t = threadIdx.x;
        uint32_t* pair = (uint32_t*)lumas + 3 * t;  // two samples a store
        pair[0] = (word.x >> 10 & 1023) | (word.y & 1023) << 16;
        pair[1] = (word.y >> 20 & 1023) | (word.z >> 10 & 1023) << 16;
        pair[2] = (word.w & 1023) | (word.w >> 20 & 1023) << 16;
        blues[3 * t] = word.x & 1023;
        blues[3 * t + 1] = word.y >> 10 & 1023;
        blues[3 * t + 2] = word.z >> 20 & 1023;
        reds[3 * t] = word.x >> 20 & 1023;
        reds[3 * t + 1] = word.z & 1023;
        reds[3 * t + 2] = word.w >> 10 & 1023;
    }
    __syncthreads();
    write_plane(lumas, 6 * here, luma + 6 * first);
    write_plane(blues, 3 * here, blue + 3 * first);
    write_plane(reds, 3 * here, red + 3 * first);
}

extern "C" void v210_planes(int height, int groups, const uint32_t* packed, uint16_t* luma, uint16_t* blue, uint16_t* red) {
    const size_t all = (size_t)height * groups;
    unpack<<<(int)((all - 1) / kThreads + 1), kThreads>>>(all, packed, luma, blue, red);
}
