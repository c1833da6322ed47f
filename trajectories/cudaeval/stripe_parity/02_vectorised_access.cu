// Parity of a stripe set: one thread four words of every disk where rows are aligned for it, else one word.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void combine_fours(int disks, int fours, const uint8_t* __restrict__ taking_part, const uint4* __restrict__ data,
                              uint4* __restrict__ parity) {
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= fours) return;
    uint4 sum = make_uint4(0, 0, 0, 0);
    for (int d = 0; d < disks; ++d) {
        if (!taking_part[d]) continue;
        const uint4 part = __ldcs(&data[(long long)d * fours + f]);
        sum.x ^= part.x;
        sum.y ^= part.y;
        sum.z ^= part.z;
        sum.w ^= part.w;
    }
    parity[f] = sum;
}

__global__ void combine(int disks, int words, const uint8_t* taking_part, const uint32_t* data, uint32_t* parity) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= words) return;
    uint32_t sum = 0;
    for (int d = 0; d < disks; ++d)
        if (taking_part[d]) sum ^= data[(long long)d * words + w];
    parity[w] = sum;
}

extern "C" void stripe_parity(int disks, int words, const uint8_t* taking_part, const uint32_t* data, uint32_t* parity) {
    const bool aligned = words % 4 == 0 && ((size_t)data | (size_t)parity) % 16 == 0;
    if (aligned) {
        const int fours = words / 4;
        combine_fours<<<(fours + 255) / 256, 256>>>(disks, fours, taking_part, (const uint4*)data, (uint4*)parity);
    } else {
        combine<<<(words + 255) / 256, 256>>>(disks, words, taking_part, data, parity);
    }
}
