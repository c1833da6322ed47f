// AES: one block a thread, byte by byte, tables in global memory.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0)); }

__global__ void encrypt(int blocks, const uint8_t* key, const uint8_t* sbox, const uint8_t* nonce, const uint8_t* plain, uint8_t* cipher) {
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= blocks) return;
    uint8_t state[16], next[16];
    for (int i = 0; i < 8; ++i) {
        state[i] = nonce[i];
        state[8 + i] = (uint8_t)((unsigned long long)n >> (56 - 8 * i));
    }
    for (int i = 0; i < 16; ++i) state[i] ^= key[i];
    for (int round = 1; round <= 10; ++round) {
        for (int c = 0; c < 4; ++c)
            for (int r = 0; r < 4; ++r) next[4 * c + r] = sbox[state[4 * ((c + r) % 4) + r]];
        if (round < 10) {
            for (int c = 0; c < 4; ++c) {
                uint8_t* b = &next[4 * c];
                const uint8_t all = b[0] ^ b[1] ^ b[2] ^ b[3], first = b[0];
                for (int r = 0; r < 4; ++r) b[r] ^= (uint8_t)(all ^ doubled(b[r] ^ (r < 3 ? b[r + 1] : first)));
            }
        }
        for (int i = 0; i < 16; ++i) state[i] = next[i] ^ key[16 * round + i];
    }
    for (int i = 0; i < 16; ++i) cipher[16 * (size_t)n + i] = plain[16 * (size_t)n + i] ^ state[i];
}

extern "C" void aes_counter(int blocks, const uint8_t* round_key, const uint8_t* sbox, const uint8_t* nonce, const uint8_t* plain, uint8_t* cipher) {
    encrypt<<<(blocks + 255) / 256, 256>>>(blocks, round_key, sbox, nonce, plain, cipher);
}
