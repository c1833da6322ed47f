// CRC of records: one record a warp. A lane takes every 32nd word; in the end neighbours put their shares together.
#include <cuda_runtime.h>

#include <cstdint>

// What is left of `rest` when `bits` zero bits follow it.
__device__ uint32_t shifted(uint32_t rest, int bits) {
    for (int bit = 0; bit < bits; ++bit) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    return rest;
}

// The product of two residues, both reflected: what is left of a when b's bits follow it.
__device__ uint32_t product(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (int bit = 31; bit >= 0; --bit) {
        sum ^= a & 0u - (b >> bit & 1);
        a = a >> 1 ^ (0xEDB88320u & 0u - (a & 1));
    }
    return sum;
}

__device__ uint32_t after_byte(uint32_t rest, uint32_t byte, const uint32_t* after) { return rest >> 8 ^ after[(rest ^ byte) & 255]; }

// Byte z of a word stands for what it leaves in table z.
__device__ uint32_t looked_up(uint32_t word, const uint32_t (*table)[256]) {
    return table[0][word & 255] ^ table[1][word >> 8 & 255] ^ table[2][word >> 16 & 255] ^ table[3][word >> 24];
}

constexpr int kWarps = 8;
constexpr unsigned kAll = 0xffffffffu;

// What x to the power 32, 64, 128, ... leaves.
__device__ constexpr uint32_t kPower[6] = {0xedb88320u, 0xb1e6b092u, 0xa06a2517u, 0xed627daeu, 0x88d14467u, 0xd7bbfe6au};

struct Tables {
    uint32_t byte[256];       // what a byte leaves after 8 bits
    uint32_t word[4][256];    // what the bytes of a word leave after 32 bits
    uint32_t row[4][256];     // and after 32 words
};

__device__ void fill(Tables& tables) {
    for (int b = threadIdx.x; b < 256; b += 32 * kWarps) {
        tables.byte[b] = shifted(b, 8);
        for (int z = 0; z < 4; ++z) {
            tables.word[z][b] = product(kPower[0], (uint32_t)b << 8 * z);
            tables.row[z][b] = product(kPower[5], (uint32_t)b << 8 * z);
        }
    }
    __syncthreads();
}

// The state `rest` after the words from `at` on, in the share of each lane; all lanes get it. `rows` times 32 words are read.
__device__ uint32_t after_rows(uint32_t rest, const uint32_t* at, int64_t rows, const Tables& tables) {
    const int lane = threadIdx.x % 32;
    uint32_t share = lane == 0 ? rest : 0;
    for (int64_t row = 0; row < rows; ++row) {
        const uint32_t mixed = share ^ at[32 * row + lane];
        share = row + 1 < rows ? looked_up(mixed, tables.row) : looked_up(mixed, tables.word);
    }
    for (int apart = 1, level = 0; apart < 32; apart *= 2, ++level) {  // lanes that begin a group of 2 * apart take in the second half
        const uint32_t later = __shfl_down_sync(kAll, share, apart);
        share = product(share, kPower[level]) ^ later;
    }
    return __shfl_sync(kAll, share, 0);
}

__global__ void check(int records, const uint8_t* data, const int64_t* start, uint32_t* crc) {
    __shared__ Tables tables;
    fill(tables);
    const int r = blockIdx.x * kWarps + threadIdx.x / 32;
    if (r >= records) return;
    uint32_t rest = ~0u;
    const uint8_t *at = data + start[r], *end = data + start[r + 1];
    while (at != end && (uintptr_t)at % 4 != 0) rest = after_byte(rest, *at++, tables.byte);
    const int64_t rows = (end - at) / 128;
    if (rows > 0) rest = after_rows(rest, (const uint32_t*)at, rows, tables);
    for (at += 128 * rows; end - at >= 4; at += 4) rest = looked_up(rest ^ *(const uint32_t*)at, tables.word);
    while (at != end) rest = after_byte(rest, *at++, tables.byte);
    if (threadIdx.x % 32 == 0) crc[r] = ~rest;
}

extern "C" void record_crc(int64_t bytes, int records, const uint8_t* data, const int64_t* start, uint32_t* crc) {
    check<<<(records - 1) / kWarps + 1, 32 * kWarps>>>(records, data, start, crc);
}
