// Hex dump: four characters a thread leave as one word; the rest at the end goes one by one.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint8_t digit(int value) { return (uint8_t)(value < 10 ? '0' + value : 'a' + value - 10); }

__device__ uint8_t shown(int c) { return (uint8_t)(c >= 32 && c < 127 ? c : '.'); }

// The character at `place` of the line that begins at the address `at`.
__device__ uint8_t character(int bytes, const uint8_t* data, int at, int place) {
    if (place < 8) return digit((unsigned)at >> (28 - 4 * place) & 15);
    if (place < 10) return ' ';
    if (place < 59) {
        const int column = place - 10 - (place > 34), k = column / 3, part = column % 3;
        if (place == 34 || part == 2 || at + k >= bytes) return ' ';
        return digit(part ? data[at + k] & 15 : data[at + k] >> 4);
    }
    if (place == 59 || place == 76) return '|';
    if (place >= 77) return '\n';
    return at + place - 60 < bytes ? shown(data[at + place - 60]) : ' ';
}

__global__ void dump(int bytes, size_t characters, const uint8_t* data, uint8_t* text) {
    const size_t i = 4 * ((size_t)blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= characters) return;
    int line = (int)(i / 78), place = (int)(i % 78);
    uint32_t word = 0;
    for (int k = 0; k < 4 && i + k < characters; ++k) {
        word |= (uint32_t)character(bytes, data, 16 * line, place) << 8 * k;
        if (++place == 78) {
            place = 0;
            ++line;
        }
    }
    if (i + 4 <= characters) *reinterpret_cast<uint32_t*>(text + i) = word;
    else
        for (int k = 0; i + k < characters; ++k) text[i + k] = (uint8_t)(word >> 8 * k);
}

extern "C" void hex_dump(int bytes, const uint8_t* data, uint8_t* text) {
    const size_t characters = (size_t)((bytes + 15) / 16) * 78;
    dump<<<(unsigned)((characters + 1023) / 1024), 256>>>(bytes, characters, data, text);
}
