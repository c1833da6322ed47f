// Parity of a stripe set: one thread a word, over all disks.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void combine(int disks, int words, const uint8_t* taking_part, const uint32_t* data, uint32_t* parity) {
    const int w = blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= words) return;
    uint32_t sum = 0;
    for (int d = 0; d < disks; ++d)
        if (taking_part[d]) sum ^= data[(long long)d * words + w];
    parity[w] = sum;
}

extern "C" void stripe_parity(int disks, int words, const uint8_t* taking_part, const uint32_t* data, uint32_t* parity) {
    combine<<<(words + 255) / 256, 256>>>(disks, words, taking_part, data, parity);
}
