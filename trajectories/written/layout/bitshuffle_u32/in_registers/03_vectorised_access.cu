// Difference and bit shuffle: bit matrix in registers, groups moved as 128-bit vectors.
#include <cuda_runtime.h>

#include <cstdint>

// Word j is row j; afterwards word b is column b, row j at bit j.
__device__ void transpose_bits(uint32_t (&row)[32]) {
    uint32_t low_mask = 0x0000FFFFu;
#pragma unroll
    for (int distance = 16; distance > 0; distance >>= 1) {
#pragma unroll
        for (int k = 0; k < 32; ++k) {
            if (k & distance) continue;
            uint32_t moved = (row[k] >> distance ^ row[k + distance]) & low_mask;
            row[k + distance] ^= moved;
            row[k] ^= moved << distance;
        }
        low_mask ^= low_mask << (distance >> 1);
    }
}

__global__ void shuffle_bits(int n, bool aligned, const uint32_t* samples, uint32_t* planes) {
    int base = (blockIdx.x * blockDim.x + threadIdx.x) * 32;
    if (base >= n) return;
    uint32_t row[32];
    if (aligned && base + 32 <= n) {
#pragma unroll
        for (int j = 0; j < 32; j += 4) {
            uint4 four = *reinterpret_cast<const uint4*>(samples + base + j);
            row[j] = four.x, row[j + 1] = four.y, row[j + 2] = four.z, row[j + 3] = four.w;
        }
    } else {
#pragma unroll
        for (int j = 0; j < 32; ++j) row[j] = base + j < n ? samples[base + j] : 0;
    }
#pragma unroll
    for (int j = 31; j > 0; --j) row[j] = base + j < n ? row[j] - row[j - 1] : 0;
    transpose_bits(row);
    if (aligned) {
#pragma unroll
        for (int b = 0; b < 32; b += 4)
            *reinterpret_cast<uint4*>(planes + base + b) = make_uint4(row[b], row[b + 1], row[b + 2], row[b + 3]);
    } else {
#pragma unroll
        for (int b = 0; b < 32; ++b) planes[base + b] = row[b];
    }
}

extern "C" void bitshuffle_u32(int n, const uint32_t* samples, uint32_t* planes) {
    const int threads = 128;
    int groups = (n - 1) / 32 + 1;
    uintptr_t both = reinterpret_cast<uintptr_t>(samples) | reinterpret_cast<uintptr_t>(planes);
    shuffle_bits<<<(groups - 1) / threads + 1, threads>>>(n, both % 16 == 0, samples, planes);
}
