// Frames of lines: both counts go through one scan.
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

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int sum[kThreads];
    sum[threadIdx.x] = value;
    __syncthreads();
    for (int reach = 1; reach < kThreads; reach *= 2) {
        const int lower = (int)threadIdx.x >= reach ? sum[threadIdx.x - reach] : 0;
        __syncthreads();
        sum[threadIdx.x] = value += lower;
        __syncthreads();
    }
    *all = sum[kThreads - 1];
    __syncthreads();
    return value;
}

// A block a line, 256 bytes at a time. One scan counts payload, in the lower half of a word, and ends of frames in the upper half.
__global__ void unstuff(int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    const long long row = (long long)blockIdx.x * n;
    code += row, payload += row, ends += row;
    int used = 0, ended = 0, more;
    for (int first = 0; first < n; first += kThreads) {
        const int i = first + threadIdx.x, means = i < n ? meaning(i, code) : kNothing;
        const int both = running_sum((means == kEnd) << 16 | (means < kEnd), &more);
        const int to = used + (both & 0xffff), number = ended + (both >> 16);
        if (means < kEnd) payload[to - 1] = means;
        if (means == kEnd) ends[number - 1] = to;
        used += more & 0xffff;
        ended += more >> 16;
    }
    for (int k = used + threadIdx.x; k < n; k += kThreads) payload[k] = 0;
    for (int k = ended + threadIdx.x; k < n; k += kThreads) ends[k] = 0;
    if (threadIdx.x > 0) return;
    size[blockIdx.x] = used;
    frames[blockIdx.x] = ended;
}

extern "C" void line_frames(int lines, int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    unstuff<<<lines, kThreads>>>(n, code, payload, ends, size, frames);
}
