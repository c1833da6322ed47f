// Records to columns: a warp votes on the validity of its 32 records; nothing is cleared beforehand and no atomic is left.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kRecord = 24;

__device__ uint64_t little_endian(const uint8_t* byte, int count) {
    uint64_t value = 0;
    while (count > 0) value = value << 8 | byte[--count];
    return value;
}

__device__ uint8_t upper(uint8_t letter) { return letter >= 'a' && letter <= 'z' ? letter - 32 : letter; }

__global__ void split(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word, uint32_t* valid) {
    const int i = blockIdx.x * kThreads + threadIdx.x, words = (n - 1) / 32 + 1;
    const uint8_t* at = record + (size_t)min(i, n - 1) * kRecord;
    const uint8_t missing = at[20];
    for (int f = 0; f < 4; ++f) {
        const uint32_t there = __ballot_sync(~0u, i < n && !(missing >> f & 1));
        if (i % 32 == f && i - f < n) valid[f * words + i / 32] = there;
    }
    if (i >= n) return;
    key[i] = missing & 1 ? 0 : little_endian(at, 8);
    bits[i] = missing & 2 ? 0 : little_endian(at + 8, 4);
    code[i] = missing & 4 ? 0 : little_endian(at + 12, 4);
    uint32_t letters = 0;
    for (int k = 0; k < 4; ++k) letters |= (uint32_t)upper(at[16 + k]) << (8 * k);
    word[i] = missing & 8 ? 0 : letters;
}

extern "C" void records_to_columns(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word,
                                   uint32_t* valid) {
    split<<<(n - 1) / kThreads + 1, kThreads>>>(n, record, key, bits, code, word, valid);
}
