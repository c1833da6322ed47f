// ChaCha20: one block of the stream a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t turn(uint32_t v, int n) { return __funnelshift_l(v, v, n); }

__device__ void quarter(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
    a += b, d = turn(d ^ a, 16);
    c += d, b = turn(b ^ c, 12);
    a += b, d = turn(d ^ a, 8);
    c += d, b = turn(b ^ c, 7);
}

__device__ void start(uint32_t* s, uint32_t counter, const uint32_t* key, const uint32_t* nonce) {
    s[0] = 0x61707865u, s[1] = 0x3320646eu, s[2] = 0x79622d32u, s[3] = 0x6b206574u;
    for (int i = 0; i < 8; ++i) s[4 + i] = key[i];
    s[12] = counter;
    for (int i = 0; i < 3; ++i) s[13 + i] = nonce[i];
}

__device__ void mix(uint32_t* s) {
    for (int round = 0; round < 10; ++round) {
        for (int i = 0; i < 4; ++i) quarter(s[i], s[4 + i], s[8 + i], s[12 + i]);
        for (int i = 0; i < 4; ++i) quarter(s[i], s[4 + (i + 1) % 4], s[8 + (i + 2) % 4], s[12 + (i + 3) % 4]);
    }
}

__global__ void encrypt(int blocks, uint32_t counter, const uint32_t* key, const uint32_t* nonce, const uint32_t* text, uint32_t* cipher) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    uint32_t s[16], first[16];
    start(first, counter + b, key, nonce);
    start(s, counter + b, key, nonce);
    mix(s);
    for (int w = 0; w < 16; ++w) cipher[16ull * b + w] = text[16ull * b + w] ^ (s[w] + first[w]);
}

extern "C" void chacha_stream(int blocks, uint32_t counter, const uint32_t* key, const uint32_t* nonce, const uint32_t* text, uint32_t* cipher) {
    encrypt<<<(blocks + 127) / 128, 128>>>(blocks, counter, key, nonce, text, cipher);
}
