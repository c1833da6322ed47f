// Records to columns: a record is six 4-byte loads, and its letters are raised to capitals four at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kRecord = 24;

// The six words of a record; a table that is not aligned is read byte by byte.
__device__ void load(const uint8_t* record, uint32_t (&part)[kRecord / 4]) {
#pragma unroll
    for (int p = 0; p < kRecord / 4; ++p) {
        if ((size_t)record % 4 == 0)
            part[p] = ((const uint32_t*)record)[p];
        else
            part[p] = record[4 * p] | record[4 * p + 1] << 8 | record[4 * p + 2] << 16 | (uint32_t)record[4 * p + 3] << 24;
    }
}

// 0xff bytes of the comparison mark the letters a-z; a capital lies 0x20 below.
__device__ uint32_t upper(uint32_t letters) {
    return letters - (__vcmpgeu4(letters, 0x61616161) & __vcmpleu4(letters, 0x7a7a7a7a) & 0x20202020);
}

__global__ void split(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word, uint32_t* valid) {
    const int i = blockIdx.x * kThreads + threadIdx.x, words = (n - 1) / 32 + 1;
    uint32_t part[kRecord / 4];
    load(record + (size_t)min(i, n - 1) * kRecord, part);
    const uint32_t missing = part[5];
    for (int f = 0; f < 4; ++f) {
        const uint32_t there = __ballot_sync(~0u, i < n && !(missing >> f & 1));
        if (i % 32 == f && i - f < n) valid[f * words + i / 32] = there;
    }
    if (i >= n) return;
    key[i] = missing & 1 ? 0 : (int64_t)((uint64_t)part[1] << 32 | part[0]);
    bits[i] = missing & 2 ? 0 : part[2];
    code[i] = missing & 4 ? 0 : part[3];
    word[i] = missing & 8 ? 0 : upper(part[4]);
}

extern "C" void records_to_columns(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word,
                                   uint32_t* valid) {
    split<<<(n - 1) / kThreads + 1, kThreads>>>(n, record, key, bits, code, word, valid);
}
