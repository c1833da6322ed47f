// Channel peaks: four 16-byte loads in flight, and one atomic for each channel of a block.
#include <cuda_runtime.h>

#include <cstdint>

using Key = unsigned long long;

constexpr int kSlices = 1024;
constexpr int kThreads = 256;
constexpr int kWide = 8;
constexpr int kAhead = 4;  // frames whose loads are issued together

// A larger magnitude wins; among equals the earlier frame, because its complement is larger. Never 0.
__device__ Key key_of(int sample, int frame) { return (Key)(unsigned)abs(sample) << 32 | (unsigned)~frame; }

// Threads walk (frame, group of eight channels) pairs of their slice; `groups` divides kThreads, so a thread stays with its group.
__global__ void find_wide(int frames, int groups, int length, const int4* audio, Key* keys) {
    __shared__ Key block_keys[kThreads * kWide];
    for (int c = threadIdx.x; c < groups * kWide; c += kThreads) block_keys[c] = 0;
    __syncthreads();
    int g = threadIdx.x % groups, end = min((int)(blockIdx.x + 1) * length, frames);
    int first = blockIdx.x * length + threadIdx.x / groups;  // silence counts from here
    unsigned held[4] = {};  // peaks so far, two to a word
    int frame[kWide];
#pragma unroll
    for (int w = 0; w < kWide; ++w) frame[w] = first;
    int step = kThreads / groups;
    for (int f0 = first; f0 < end; f0 += step * kAhead) {
        int4 packs[kAhead];
#pragma unroll
        for (int j = 0; j < kAhead; ++j)
            packs[j] = f0 + j * step < end ? __ldcs(audio + (size_t)(f0 + j * step) * groups + g) : make_int4(0, 0, 0, 0);
#pragma unroll
        for (int j = 0; j < kAhead; ++j) {
            unsigned pairs[4] = {(unsigned)packs[j].x, (unsigned)packs[j].y, (unsigned)packs[j].z, (unsigned)packs[j].w};
#pragma unroll
            for (int p = 0; p < 4; ++p) {
                // Magnitudes of both halves; that of -32768 is 0x8000, which is right as an unsigned number.
                unsigned loud = __vabs2(pairs[p]), grown = __vmaxu2(loud, held[p]);
                if (grown == held[p]) continue;  // nearly always, after a few hundred frames
                if ((grown & 0xffffu) != (held[p] & 0xffffu)) frame[2 * p] = f0 + j * step;
                if (grown >> 16 != held[p] >> 16) frame[2 * p + 1] = f0 + j * step;
                held[p] = grown;
            }
        }
    }
    Key best[kWide];
#pragma unroll
    for (int w = 0; w < kWide; ++w) {
        unsigned loud = held[w / 2] >> (w % 2 * 16) & 0xffffu;
        best[w] = frame[w] < end ? (Key)loud << 32 | (unsigned)~frame[w] : 0;
    }
#pragma unroll
    for (int w = 0; w < kWide; ++w)
        if (best[w] > 0) atomicMax(block_keys + g * kWide + w, best[w]);
    __syncthreads();
    for (int c = threadIdx.x; c < groups * kWide; c += kThreads) atomicMax(keys + c, block_keys[c]);
}

__global__ void find(int frames, int channels, int length, const int16_t* audio, Key* keys) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    Key best = 0;
    int end = min((int)(blockIdx.y + 1) * length, frames);
    for (int f = blockIdx.y * length; f < end; ++f) best = max(best, key_of(audio[(size_t)f * channels + c], f));
    atomicMax(keys + c, best);
}

__global__ void unpack(int channels, const Key* keys, int* peak, int* at) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < channels) peak[c] = (int)(keys[c] >> 32), at[c] = (int)~(unsigned)keys[c];
}

extern "C" void channel_peaks(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    int length = (frames + kSlices - 1) / kSlices, slices = (frames + length - 1) / length;
    Key* keys = nullptr;
    cudaMalloc(&keys, channels * sizeof(Key));
    cudaMemsetAsync(keys, 0, channels * sizeof(Key));
    int groups = channels / kWide;
    bool wide = channels % kWide == 0 && kThreads % groups == 0 && reinterpret_cast<uintptr_t>(audio) % 16 == 0;
    if (wide)
        find_wide<<<slices, kThreads>>>(frames, groups, length, reinterpret_cast<const int4*>(audio), keys);
    else
        find<<<dim3((channels + 63) / 64, slices), 64>>>(frames, channels, length, audio, keys);
    unpack<<<(channels + 63) / 64, 64>>>(channels, keys, peak, at);
    cudaFree(keys);
}
