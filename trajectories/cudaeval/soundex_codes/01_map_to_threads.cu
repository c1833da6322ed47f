// Soundex: one name a thread; the letters' digits lie in two words, four bits each.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSilent = 7;  // h and w, which do not part their neighbours

// 0 for a vowel.
__device__ int digit_of(int letter) {
    const uint64_t digits = letter < 16 ? 0x1055422072103210ull : 0x2027103262ull;
    return (int)(digits >> 4 * (letter & 15) & 15);
}

__global__ void encode(int names, const uint8_t* name, uint8_t* code) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    int made = 0, last = 0;
    for (int k = 0; k < 16 && made < 4; ++k) {
        const int c = name[16 * (size_t)i + k], letter = (c & ~32) - 'A';
        if (letter < 0 || letter >= 26) continue;
        const int digit = digit_of(letter);
        if (made == 0) {
            code[4 * (size_t)i + made++] = (uint8_t)('A' + letter);
        } else if (digit == kSilent) {
            continue;
        } else if (digit != 0 && digit != last) {
            code[4 * (size_t)i + made++] = (uint8_t)('0' + digit);
        }
        last = digit;
    }
    const uint8_t rest = made == 0 ? ' ' : '0';
    while (made < 4) code[4 * (size_t)i + made++] = rest;
}

extern "C" void soundex_codes(int names, const uint8_t* name, uint8_t* code) { encode<<<(names - 1) / 256 + 1, 256>>>(names, name, code); }
