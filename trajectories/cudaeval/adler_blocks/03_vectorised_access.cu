// Adler-32: four bytes a load where blocks begin at multiples of four, weighed by four-way products.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void check(int n, int block, int blocks, const uint8_t* __restrict__ data, uint32_t* __restrict__ sums) {
    const int k = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (k >= blocks) return;
    const int from = k * block, count = min(n - from, block), words = block % 4 ? 0 : count / 4;
    unsigned long long a = 0, b = 0;
    for (int w = lane; w < words; w += 32) {
        const unsigned four = *reinterpret_cast<const unsigned*>(data + from + 4 * w);
        const unsigned sum = __dp4a(four, 0x01010101u, 0u);
        a += sum;
        b += (unsigned long long)sum * (count - 4 * w) - __dp4a(four, 0x03020100u, 0u);
    }
    for (int i = 4 * words + lane; i < count; i += 32) {
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
