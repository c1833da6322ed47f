// Channel peaks: magnitude and frame in one 64-bit key, whose maximum is the answer; a block of 4 rows of threads for each slice.
#include <cuda_runtime.h>

#include <cstdint>

using Key = unsigned long long;

constexpr int kSlices = 1024;
constexpr int kRows = 4;

// A larger magnitude wins; among equals the earlier frame, because its complement is larger. Never 0.
__device__ Key key_of(int sample, int frame) { return (Key)(unsigned)abs(sample) << 32 | (unsigned)~frame; }

__global__ void find(int frames, int channels, int length, const int16_t* audio, Key* keys) {
    __shared__ Key part[kRows][64];
    int c = blockIdx.x * 64 + threadIdx.x;
    Key best = 0;
    if (c < channels) {
        int end = min((int)(blockIdx.y + 1) * length, frames);
        for (int f = blockIdx.y * length + threadIdx.y; f < end; f += kRows) best = max(best, key_of(audio[(size_t)f * channels + c], f));
    }
    part[threadIdx.y][threadIdx.x] = best;
    __syncthreads();
    if (threadIdx.y > 0 || c >= channels) return;
    for (int r = 1; r < kRows; ++r) best = max(best, part[r][threadIdx.x]);
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
    find<<<dim3((channels + 63) / 64, slices), dim3(64, kRows)>>>(frames, channels, length, audio, keys);
    unpack<<<(channels + 63) / 64, 64>>>(channels, keys, peak, at);
    cudaFree(keys);
}
