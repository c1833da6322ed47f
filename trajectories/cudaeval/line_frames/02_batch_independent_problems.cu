// Frames of lines: one line a block. What a byte means follows from the few bytes before it.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kEscape = 0x7d, kFlag = 0x7e, kTurned = 0x20;
constexpr int kThreads = 256;

// Whether byte `i` comes behind an escape that is not itself escaped: an odd number of them lie in a row before it.
__device__ bool is_escaped(int i, const uint8_t* code) {
    int first = i;
    while (first > 0 && code[first - 1] == kEscape) --first;
    return (i - first) % 2 != 0;
}

// What byte `i` is good for: payload (0 to 255), the end of a frame, or nothing.
enum { kEnd = 256, kNothing = 257 };

__device__ int meaning(int i, const uint8_t* code) {
    if (code[i] == kFlag) return kEnd;
    if (is_escaped(i, code)) return code[i] ^ kTurned;
    return code[i] == kEscape ? kNothing : code[i];
}

// A block a line, whose threads tell what bytes mean; its first thread puts them where they belong. `means` has room for all bytes.
__global__ void unstuff(int n, const uint8_t* code, uint16_t* means, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    const long long row = (long long)blockIdx.x * n;
    code += row, payload += row, ends += row;
    means += row;
    for (int i = threadIdx.x; i < n; i += kThreads) means[i] = meaning(i, code);
    __syncthreads();
    if (threadIdx.x > 0) return;
    int used = 0, ended = 0;
    for (int i = 0; i < n; ++i) {
        if (means[i] == kEnd) ends[ended++] = used;
        if (means[i] < kEnd) payload[used++] = means[i];
    }
    size[blockIdx.x] = used;
    frames[blockIdx.x] = ended;
    for (; used < n; ++used) payload[used] = 0;
    for (; ended < n; ++ended) ends[ended] = 0;
}

extern "C" void line_frames(int lines, int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    uint16_t* means = nullptr;
    cudaMalloc(&means, sizeof(uint16_t) * lines * n);
    unstuff<<<lines, kThreads>>>(n, code, means, payload, ends, size, frames);
    cudaFree(means);
}
