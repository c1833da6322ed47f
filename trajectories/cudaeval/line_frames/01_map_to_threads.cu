// Frames of lines: one line a thread.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kEscape = 0x7d, kFlag = 0x7e, kTurned = 0x20;

__global__ void unstuff(int lines, int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= lines) return;
    const long long row = (long long)s * n;
    bool escaped = false;
    int used = 0, ended = 0;
    for (int i = 0; i < n; ++i) {
        const int byte = code[row + i];
        if (byte == kFlag) {
            ends[row + ended++] = used;
            escaped = false;
        } else if (byte == kEscape && !escaped) {
            escaped = true;
        } else {
            payload[row + used++] = escaped ? byte ^ kTurned : byte;
            escaped = false;
        }
    }
    size[s] = used;
    frames[s] = ended;
    for (; used < n; ++used) payload[row + used] = 0;
    for (; ended < n; ++ended) ends[row + ended] = 0;
}

extern "C" void line_frames(int lines, int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    unstuff<<<(lines - 1) / 32 + 1, 32>>>(lines, n, code, payload, ends, size, frames);
}
