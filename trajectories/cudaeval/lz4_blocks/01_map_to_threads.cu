// LZ4 blocks: one block a thread, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

struct Command {
    uint8_t literals, length;
    uint16_t distance;
};

__global__ void decode(int blocks, int commands, int size, const Command* command, const uint8_t* text, uint8_t* decoded, int32_t* written) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= blocks) return;
    uint8_t* out = decoded + (size_t)b * size;
    const uint8_t* in = text + 64ull * b * commands;
    int at = 0;
    for (int c = 0; c < commands && at < size; ++c) {
        const Command now = command[(size_t)b * commands + c];
        for (int k = 0; k < min((int)now.literals, size - at); ++k) out[at + k] = in[k];
        at += min((int)now.literals, size - at);
        in += now.literals;
        const int length = min((int)now.length, size - at), from = at - 1 - now.distance;
        for (int k = 0; k < length; ++k, ++at) out[at] = from + k < 0 ? 0 : out[from + k];
    }
    written[b] = at;
    for (; at < size; ++at) out[at] = 0;
}

extern "C" void lz4_blocks(int blocks, int commands, int size, const Command* command, const uint8_t* text, uint8_t* decoded, int32_t* written) {
    decode<<<(blocks + 127) / 128, 128>>>(blocks, commands, size, command, text, decoded, written);
}
