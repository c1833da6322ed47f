// ChaCha20: rounds over state in registers, every index known to the compiler.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t turn(uint32_t v, int n) { return __funnelshift_l(v, v, n); }

__device__ void quarter(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
    a += b, d = turn(d ^ a, 16);
    c += d, b = turn(b ^ c, 12);
    a += b, d = turn(d ^ a, 8);
    c += d, b = turn(b ^ c, 7);
}

__global__ void encrypt(int blocks, uint32_t counter, const uint32_t* __restrict__ key, const uint32_t* __restrict__ nonce,
                        const uint32_t* __restrict__ text, uint32_t* __restrict__ cipher) {
    __shared__ uint32_t stream[128][17];
    const int from = blockIdx.x * 128;
    uint32_t s[16], first[16] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u, key[0], key[1], key[2], key[3], key[4], key[5], key[6], key[7],
                                 counter + from + threadIdx.x, nonce[0], nonce[1], nonce[2]};
#pragma unroll
    for (int w = 0; w < 16; ++w) s[w] = first[w];
#pragma unroll 2
    for (int round = 0; round < 10; ++round) {
        quarter(s[0], s[4], s[8], s[12]);
        quarter(s[1], s[5], s[9], s[13]);
        quarter(s[2], s[6], s[10], s[14]);
        quarter(s[3], s[7], s[11], s[15]);
        quarter(s[0], s[5], s[10], s[15]);
        quarter(s[1], s[6], s[11], s[12]);
        quarter(s[2], s[7], s[8], s[13]);
        quarter(s[3], s[4], s[9], s[14]);
    }
#pragma unroll
    for (int w = 0; w < 16; ++w) stream[threadIdx.x][w] = s[w] + first[w];
    __syncthreads();
    const int words = 16 * min(128, blocks - from);
#pragma unroll 4
    for (int i = threadIdx.x; i < words; i += 128) cipher[16ull * from + i] = text[16ull * from + i] ^ stream[i / 16][i % 16];
}

extern "C" void chacha_stream(int blocks, uint32_t counter, const uint32_t* key, const uint32_t* nonce, const uint32_t* text, uint32_t* cipher) {
    encrypt<<<(blocks + 127) / 128, 128>>>(blocks, counter, key, nonce, text, cipher);
}
