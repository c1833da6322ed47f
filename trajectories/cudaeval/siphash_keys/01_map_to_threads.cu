// SipHash: one string a thread, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long word_t;

__device__ word_t rotl(word_t x, int by) { return x << by | x >> (64 - by); }

struct State {
    word_t v0, v1, v2, v3;
    __device__ State(word_t k0, word_t k1) : v0(k0 ^ 0x736f6d6570736575ull), v1(k1 ^ 0x646f72616e646f6dull), v2(k0 ^ 0x6c7967656e657261ull), v3(k1 ^ 0x7465646279746573ull) {}
    __device__ void round() {
        v0 += v1, v1 = rotl(v1, 13) ^ v0, v0 = rotl(v0, 32);
        v2 += v3, v3 = rotl(v3, 16) ^ v2;
        v0 += v3, v3 = rotl(v3, 21) ^ v0;
        v2 += v1, v1 = rotl(v1, 17) ^ v2, v2 = rotl(v2, 32);
    }
    __device__ void absorb(word_t word) {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
    __device__ word_t finish() {
        v2 ^= 0xff;
        for (int i = 0; i < 4; ++i) round();
        return v0 ^ v1 ^ v2 ^ v3;
    }
};

template <typename Bytes>
__device__ word_t hash_of(Bytes at, int length, word_t k0, word_t k1) {
    State state(k0, k1);
    word_t word = 0;
    for (int b = 0; b < length; ++b) {
        word |= (word_t)at[b] << 8 * (b % 8);
        if (b % 8 == 7) {
            state.absorb(word);
            word = 0;
        }
    }
    state.absorb(word | (word_t)length << 56);
    return state.finish();
}

__global__ void hash_all(int strings, word_t k0, word_t k1, const int32_t* start, const uint8_t* bytes, uint64_t* hash) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < strings) hash[i] = hash_of(bytes + start[i], start[i + 1] - start[i], k0, k1);
}

extern "C" void siphash_keys(int strings, int, uint64_t k0, uint64_t k1, const int32_t* start, const uint8_t* bytes, uint64_t* hash) {
    hash_all<<<(strings + 127) / 128, 128>>>(strings, k0, k1, start, bytes, hash);
}
