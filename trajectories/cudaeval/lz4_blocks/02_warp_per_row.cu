// LZ4 blocks: a warp has a block; 32 bytes of a command are copied at once, an overlapping copy by its period.
#include <cuda_runtime.h>

#include <cstdint>

struct Command {
    uint8_t literals, length;
    uint16_t distance;
};

__global__ void decode(int blocks, int commands, int size, const Command* command, const uint8_t* text, uint8_t* decoded, int32_t* written) {
    const int b = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (b >= blocks) return;
    uint8_t* out = decoded + (size_t)b * size;
    const uint8_t* in = text + 64ull * b * commands;
    int at = 0;
    for (int c = 0; c < commands && at < size; ++c) {
        const Command now = command[(size_t)b * commands + c];
        const int literals = min((int)now.literals, size - at), length = min((int)now.length, size - at - literals);
        for (int k = lane; k < literals; k += 32) out[at + k] = in[k];
        at += literals;
        in += now.literals;
        __syncwarp();
        const int period = now.distance + 1, from = at - period;
        for (int k = lane; k < length; k += 32) {
            const int source = from + k % period;
            out[at + k] = source < 0 ? 0 : out[source];
        }
        at += length;
        __syncwarp();
    }
    if (lane == 0) written[b] = at;
    for (int k = at + lane; k < size; k += 32) out[k] = 0;
}

extern "C" void lz4_blocks(int blocks, int commands, int size, const Command* command, const uint8_t* text, uint8_t* decoded, int32_t* written) {
    decode<<<(blocks + 3) / 4, 128>>>(blocks, commands, size, command, text, decoded, written);
}
