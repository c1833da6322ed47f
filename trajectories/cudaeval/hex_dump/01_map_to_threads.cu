// Hex dump: one line a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t digit(int value) { return (uint8_t)(value < 10 ? '0' + value : 'a' + value - 10); }

__device__ uint8_t shown(int c) { return (uint8_t)(c >= 32 && c < 127 ? c : '.'); }

__global__ void dump(int bytes, const uint8_t* data, uint8_t* text) {
    const int line = blockIdx.x * blockDim.x + threadIdx.x, at = 16 * line;
    if (line >= (bytes + 15) / 16) return;
    uint8_t* out = text + (size_t)line * 78;
    for (int k = 0; k < 8; ++k) *out++ = digit((unsigned)at >> (28 - 4 * k) & 15);
    *out++ = ' ';
    *out++ = ' ';
    for (int k = 0; k < 16; ++k) {
        const bool there = at + k < bytes;
        *out++ = there ? digit(data[at + k] >> 4) : ' ';
        *out++ = there ? digit(data[at + k] & 15) : ' ';
        *out++ = ' ';
        if (k == 7) *out++ = ' ';
    }
    *out++ = '|';
    for (int k = 0; k < 16; ++k) *out++ = at + k < bytes ? shown(data[at + k]) : ' ';
    *out++ = '|';
    *out++ = '\n';
}

extern "C" void hex_dump(int bytes, const uint8_t* data, uint8_t* text) {
    dump<<<((bytes + 15) / 16 + 127) / 128, 128>>>(bytes, data, text);
}
