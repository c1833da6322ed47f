// AES: a block is one 16-byte load and one 16-byte store.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t doubled(uint32_t x) { return (x << 1 ^ (x & 0x80 ? 0x1b : 0)) & 255; }

__device__ uint32_t turned(uint32_t x, int bytes) { return __funnelshift_l(x, x, 8 * bytes); }

__global__ void encrypt(int blocks, const uint8_t* __restrict__ key, const uint8_t* __restrict__ sbox, const uint8_t* __restrict__ nonce,
                        const uint8_t* __restrict__ plain, uint8_t* __restrict__ cipher) {
    __shared__ uint32_t table[256], rounds[44], start[2];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) {
        const uint32_t s = sbox[i], twice = doubled(s);
        table[i] = twice | s << 8 | s << 16 | (twice ^ s) << 24;  // what a byte of row 0 gives to rows 0 to 3
    }
    if (threadIdx.x < 44)
        rounds[threadIdx.x] = key[4 * threadIdx.x] | key[4 * threadIdx.x + 1] << 8 | key[4 * threadIdx.x + 2] << 16 | (uint32_t)key[4 * threadIdx.x + 3] << 24;
    if (threadIdx.x < 2)
        start[threadIdx.x] = nonce[4 * threadIdx.x] | nonce[4 * threadIdx.x + 1] << 8 | nonce[4 * threadIdx.x + 2] << 16 | (uint32_t)nonce[4 * threadIdx.x + 3] << 24;
    __syncthreads();
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= blocks) return;
    uint32_t state[4] = {start[0], start[1], 0, __byte_perm((uint32_t)n, 0, 0x0123)}, next[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) state[c] ^= rounds[c];
    for (int round = 1; round < 10; ++round) {
#pragma unroll
        for (int c = 0; c < 4; ++c)
            next[c] = table[state[c] & 255] ^ turned(table[state[(c + 1) & 3] >> 8 & 255], 1) ^ turned(table[state[(c + 2) & 3] >> 16 & 255], 2) ^
                      turned(table[state[(c + 3) & 3] >> 24], 3) ^ rounds[4 * round + c];
#pragma unroll
        for (int c = 0; c < 4; ++c) state[c] = next[c];
    }
    const uint4 loaded = __ldcs(reinterpret_cast<const uint4*>(plain) + n);
    const uint32_t in[4] = {loaded.x, loaded.y, loaded.z, loaded.w};
    uint32_t out[4];
#pragma unroll
    for (int c = 0; c < 4; ++c) {
        const uint32_t last = (table[state[c] & 255] >> 8 & 255) | (table[state[(c + 1) & 3] >> 8 & 255] & 0xff00) |
                              (table[state[(c + 2) & 3] >> 16 & 255] & 0xff0000) | (table[state[(c + 3) & 3] >> 24] << 16 & 0xff000000);
        out[c] = in[c] ^ last ^ rounds[40 + c];
    }
    __stcs(reinterpret_cast<uint4*>(cipher) + n, make_uint4(out[0], out[1], out[2], out[3]));
}

extern "C" void aes_counter(int blocks, const uint8_t* round_key, const uint8_t* sbox, const uint8_t* nonce, const uint8_t* plain, uint8_t* cipher) {
    encrypt<<<(blocks + 255) / 256, 256>>>(blocks, round_key, sbox, nonce, plain, cipher);
}
