// Decimator: a block's effect on the four states is linear: lanes sum their block with binomial weights, then only one step of four states a block is left, block by block.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void weigh(int channels, int blocks, int rate, const int* __restrict__ samples, uint4* __restrict__ sums) {
    const int at = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (at >= channels * blocks) return;
    const int* in = samples + (size_t)at * rate;
    uint32_t a = 0, b = 0, c = 0, d = 0;
    for (int j = lane; j < rate; j += 32) {
        // with m samples left after this one it counts 1, m + 1, (m + 1)(m + 2) / 2, (m + 1)(m + 2)(m + 3) / 6 times
        const unsigned long long m = rate - 1 - j;
        const uint32_t own = (uint32_t)in[j];
        a += own;
        b += own * (uint32_t)(m + 1);
        c += own * (uint32_t)((m + 1) * (m + 2) / 2);
        d += own * (uint32_t)((m + 1) * (m + 2) / 2 * (m + 3) / 3);
    }
    a = __reduce_add_sync(0xffffffffu, a);
    b = __reduce_add_sync(0xffffffffu, b);
    c = __reduce_add_sync(0xffffffffu, c);
    d = __reduce_add_sync(0xffffffffu, d);
    if (lane == 0) sums[at] = make_uint4(a, b, c, d);
}

__global__ void combine(int channels, int blocks, int rate, int shift, const uint4* __restrict__ sums, uint32_t* integrator, uint32_t* comb, int* out) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    uint32_t s[4], d[4];
    for (int k = 0; k < 4; ++k) s[k] = integrator[4 * c + k], d[k] = comb[4 * c + k];
    const unsigned long long n = rate;
    const uint32_t w1 = (uint32_t)n, w2 = (uint32_t)(n * (n + 1) / 2), w3 = (uint32_t)(n * (n + 1) / 2 * (n + 2) / 3);
    for (int b = 0; b < blocks; ++b) {
        const uint4 own = sums[(size_t)c * blocks + b];
        s[3] += w1 * s[2] + w2 * s[1] + w3 * s[0] + own.w;
        s[2] += w1 * s[1] + w2 * s[0] + own.z;
        s[1] += w1 * s[0] + own.y;
        s[0] += own.x;
        uint32_t value = s[3];
        for (int k = 0; k < 4; ++k) {
            const uint32_t before = d[k];
            d[k] = value;
            value -= before;
        }
        out[(size_t)c * blocks + b] = (int)value >> shift;
    }
    for (int k = 0; k < 4; ++k) integrator[4 * c + k] = s[k], comb[4 * c + k] = d[k];
}

extern "C" void cic_decimator(int channels, int blocks, int rate, int32_t shift, const int32_t* samples, uint32_t* integrator, uint32_t* comb, int32_t* out) {
    uint4* sums = nullptr;
    cudaMallocAsync(&sums, sizeof(uint4) * (size_t)channels * blocks, 0);
    weigh<<<(channels * blocks + 3) / 4, 128>>>(channels, blocks, rate, samples, sums);
    combine<<<(channels + 63) / 64, 64>>>(channels, blocks, rate, shift, sums, integrator, comb, out);
    cudaFreeAsync(sums, 0);
}
