// Soundex: a name is read as one word of 16 bytes, its code written as one of 4, where the arrays are aligned for it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSilent = 7;  // h and w, which do not part their neighbours

// 0 for a vowel.
__device__ int digit_of(int letter) {
    const uint64_t digits = letter < 16 ? 0x1055422072103210ull : 0x2027103262ull;
    return (int)(digits >> 4 * (letter & 15) & 15);
}

// Takes the letters of a name one after the other.
struct Coder {
    uint32_t code = 0;
    int made = 0, last = 0;

    __device__ void put(int byte) { code |= (uint32_t)byte << 8 * made++; }
    __device__ void take(int c) {
        const int letter = (c & ~32) - 'A';
        if (letter < 0 || letter >= 26 || made == 4) return;
        const int digit = digit_of(letter);
        if (made == 0) {
            put('A' + letter);
        } else if (digit == kSilent) {
            return;
        } else if (digit != 0 && digit != last) {
            put('0' + digit);
        }
        last = digit;
    }
    __device__ uint32_t filled() const {
        if (made == 0) return 0x20202020u;
        return made == 4 ? code : code | 0x30303030u << 8 * made;
    }
};

__global__ void encode_words(int names, const uint4* __restrict__ name, uint32_t* __restrict__ code) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    const uint4 all = name[i];
    const uint32_t words[4] = {all.x, all.y, all.z, all.w};
    Coder coder;
#pragma unroll
    for (int k = 0; k < 16; ++k) coder.take(words[k / 4] >> (8 * (k % 4)) & 255u);
    code[i] = coder.filled();
}

__global__ void encode_bytes(int names, const uint8_t* __restrict__ name, uint8_t* __restrict__ code) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    Coder coder;
    for (int k = 0; k < 16; ++k) coder.take(name[16 * (size_t)i + k]);
    const uint32_t made = coder.filled();
    for (int k = 0; k < 4; ++k) code[4 * (size_t)i + k] = (uint8_t)(made >> 8 * k);
}

extern "C" void soundex_codes(int names, const uint8_t* name, uint8_t* code) {
    const int grid = (names - 1) / 256 + 1;
    if ((uintptr_t)name % 16 == 0 && (uintptr_t)code % 4 == 0)
        encode_words<<<grid, 256>>>(names, (const uint4*)name, (uint32_t*)code);
    else
        encode_bytes<<<grid, 256>>>(names, name, code);
}
