// Frames of lines: eight bytes a thread, loaded at once.
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

// What a byte is good for: payload (0 to 255), the end of a frame, or nothing.
enum { kEnd = 256, kNothing = 257 };

// The sum over this thread and those before it in the block; `all` gets that over all threads.
__device__ int running_sum(int value, int* all) {
    __shared__ int part[kThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    if (lane == 31) part[warp] = value;
    __syncthreads();
    int sum = 0;
    for (int w = 0; w < kThreads / 32; ++w) {
        if (w == warp) value += sum;
        sum += part[w];
    }
    *all = sum;
    __syncthreads();
    return value;
}

constexpr int kOwn = 8;

// What eight neighbouring bytes mean, from byte `i` of a row of n on, and how much payload and how many ends are among them.
template <bool kWide>
struct Eight {
    int means[kOwn], both;

    __device__ Eight(int i, int n, const uint8_t* code) : both(0) {
        uint2 word = {0, 0};
        if (kWide && i < n) word = *(const uint2*)(code + i);
        bool escaped = i < n && is_escaped(i, code);
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            int byte = (k < 4 ? word.x : word.y) >> 8 * (k % 4) & 255;
            if (!kWide && i + k < n) byte = code[i + k];
            const bool escape = byte == kEscape && !escaped;
            means[k] = i + k >= n || escape ? kNothing : byte == kFlag ? kEnd : escaped ? byte ^ kTurned : byte;
            escaped = escape;
            both += (means[k] == kEnd) << 16 | (means[k] < kEnd);
        }
    }
};

// A block a line, 2048 bytes at a time. One scan counts payload, in the lower half of a word, and ends of frames in the upper half.
template <bool kWide>
__global__ void unstuff(int n, const uint8_t* code, uint8_t* payload, uint16_t* ends, int32_t* size, int32_t* frames) {
    const long long row = (long long)blockIdx.x * n;
    code += row, payload += row, ends += row;
    int used = 0, ended = 0, more;
    for (int first = 0; first < n; first += kOwn * kThreads) {
        const Eight<kWide> eight(first + kOwn * threadIdx.x, n, code);
        const int both = running_sum(eight.both, &more) - eight.both;
        int to = used + (both & 0xffff), number = ended + (both >> 16);
#pragma unroll
        for (int k = 0; k < kOwn; ++k) {
            if (eight.means[k] < kEnd) payload[to++] = eight.means[k];
            if (eight.means[k] == kEnd) ends[number++] = to;
        }
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
    const bool wide = n % 8 == 0 && (uintptr_t)code % 8 == 0;
    (wide ? unstuff<true> : unstuff<false>)<<<lines, kThreads>>>(n, code, payload, ends, size, frames);
}
