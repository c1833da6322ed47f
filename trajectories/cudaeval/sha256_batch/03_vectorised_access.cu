// SHA-256: whole words of a message are one load and a byte permutation, where rows are whole words.
#include <cuda_runtime.h>

#include <cstdint>

__constant__ uint32_t kRound[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74,
    0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d,
    0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e,
    0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5,
    0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

__device__ uint32_t rotr(uint32_t x, int n) { return __funnelshift_r(x, x, n); }

// Byte `i` of the padded message.
__device__ uint32_t byte_of(const uint8_t* text, int length, int padded, int i) {
    if (i < length) return text[i];
    if (i == length) return 0x80;
    return i >= padded - 4 ? (uint32_t)length * 8 >> 8 * (padded - 1 - i) & 255 : 0;
}

__device__ uint32_t word_of(const uint8_t* text, int length, int padded, int at) {
    uint32_t word = 0;
    if (at + 4 <= length && ((size_t)text & 3) == 0) return __byte_perm(*reinterpret_cast<const uint32_t*>(text + at), 0, 0x0123);
    for (int k = 0; k < 4; ++k) word = word << 8 | byte_of(text, length, padded, at + k);
    return word;
}

__device__ uint32_t scheduled(uint32_t w16, uint32_t w15, uint32_t w7, uint32_t w2) {
    return w16 + (rotr(w15, 7) ^ rotr(w15, 18) ^ w15 >> 3) + w7 + (rotr(w2, 17) ^ rotr(w2, 19) ^ w2 >> 10);
}

__device__ void one_round(uint32_t* s, uint32_t added) {
    const uint32_t t1 = s[7] + (rotr(s[4], 6) ^ rotr(s[4], 11) ^ rotr(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + added;
    const uint32_t t2 = (rotr(s[0], 2) ^ rotr(s[0], 13) ^ rotr(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
#pragma unroll
    for (int k = 7; k > 0; --k) s[k] = s[k - 1];
    s[4] += t1;
    s[0] = t1 + t2;
}

__device__ void compress(uint32_t* h, const uint8_t* text, int length, int padded, int from) {
    uint32_t w[16], s[8];
#pragma unroll
    for (int i = 0; i < 16; ++i) w[i] = word_of(text, length, padded, from + 4 * i);
#pragma unroll
    for (int i = 0; i < 8; ++i) s[i] = h[i];
    for (int turn = 0; turn < 4; ++turn) {
#pragma unroll
        for (int i = 0; i < 16; ++i) {
            if (turn) w[i] = scheduled(w[i], w[(i + 1) & 15], w[(i + 9) & 15], w[(i + 14) & 15]);
            one_round(s, kRound[16 * turn + i] + w[i]);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; ++i) h[i] += s[i];
}

__global__ void hash(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* digest) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= messages) return;
    uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    const int bytes = length[m], padded = (bytes + 9 + 63) / 64 * 64;
    for (int from = 0; from < padded; from += 64) compress(h, data + (size_t)m * width, bytes, padded, from);
    for (int i = 0; i < 8; ++i) digest[8 * (size_t)m + i] = h[i];
}

extern "C" void sha256_batch(int messages, int width, const uint8_t* data, const int32_t* length, uint32_t* digest) {
    hash<<<(messages + 127) / 128, 128>>>(messages, width, data, length, digest);
}
