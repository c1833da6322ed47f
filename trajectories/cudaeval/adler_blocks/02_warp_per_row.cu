// Adler-32: a warp takes a block; b counts each byte as often as bytes are left, one remainder at the end.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void check(int n, int block, int blocks, const uint8_t* data, uint32_t* sums) {
    const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (k >= blocks) return;
    const int from = k * block, count = min(n - from, block);
    unsigned long long a = 0, b = 0;
    for (int i = lane; i < count; i += 32) {
        const unsigned byte = data[from + i];
        a += byte;
        b += (unsigned long long)byte * (count - i);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        a += __shfl_xor_sync(0xffffffffu, a, apart);
        b += __shfl_xor_sync(0xffffffffu, b, apart);
    }
    if (lane == 0) sums[k] = (uint32_t)((b + count) % 65521) << 16 | (uint32_t)((a + 1) % 65521);
}

extern "C" void adler_blocks(int n, int block, const uint8_t* data, uint32_t* sums) {
    const int blocks = (n + block - 1) / block;
    check<<<(blocks + 3) / 4, 128>>>(n, block, blocks, data, sums);
}
