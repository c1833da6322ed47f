// CRC of records: four bytes are read at a time.
#include <cuda_runtime.h>

#include <cstdint>

// What is left of `rest` when `bits` zero bits follow it.
__device__ uint32_t shifted(uint32_t rest, int bits) {
    for (int bit = 0; bit < bits; ++bit) rest = rest & 1 ? rest >> 1 ^ 0xEDB88320u : rest >> 1;
    return rest;
}

constexpr int kThreads = 64;

__device__ uint32_t after_byte(uint32_t rest, uint32_t byte, const uint32_t* after) { return rest >> 8 ^ after[(rest ^ byte) & 255]; }

__global__ void check(int records, const uint8_t* data, const int64_t* start, uint32_t* crc) {
    __shared__ uint32_t after[256];
    for (int byte = threadIdx.x; byte < 256; byte += kThreads) after[byte] = shifted(byte, 8);
    __syncthreads();
    const int r = blockIdx.x * kThreads + threadIdx.x;
    if (r >= records) return;
    uint32_t rest = ~0u;
    const uint8_t *at = data + start[r], *end = data + start[r + 1];
    while (at != end && (uintptr_t)at % 4 != 0) rest = after_byte(rest, *at++, after);
    for (; end - at >= 4; at += 4) {
        const uint32_t word = *(const uint32_t*)at;
        for (int shift = 0; shift < 32; shift += 8) rest = after_byte(rest, word >> shift, after);
    }
    while (at != end) rest = after_byte(rest, *at++, after);
    crc[r] = ~rest;
}

extern "C" void record_crc(int64_t bytes, int records, const uint8_t* data, const int64_t* start, uint32_t* crc) {
    check<<<(records - 1) / kThreads + 1, kThreads>>>(records, data, start, crc);
}
