// Channel peaks: a block for 32 channels, 32 rows of threads over the frames, joined by a tree in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kColumns = 32;
constexpr int kRows = 32;

struct Peak {
    int loud, frame;
};

__device__ Peak better(Peak a, Peak b) { return b.loud > a.loud || (b.loud == a.loud && b.frame < a.frame) ? b : a; }

__global__ void find(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    __shared__ Peak part[kRows][kColumns];
    int c = blockIdx.x * kColumns + threadIdx.x;
    Peak best = {-1, frames};
    if (c < channels)
        for (int f = threadIdx.y; f < frames; f += kRows) best = better(best, {abs((int)audio[(size_t)f * channels + c]), f});
    part[threadIdx.y][threadIdx.x] = best;
    __syncthreads();
    for (int half = kRows / 2; half > 0; half /= 2) {
        Peak& mine = part[threadIdx.y][threadIdx.x];
        if (threadIdx.y < half) mine = better(mine, part[threadIdx.y + half][threadIdx.x]);
        __syncthreads();
    }
    if (threadIdx.y == 0 && c < channels) peak[c] = part[0][threadIdx.x].loud, at[c] = part[0][threadIdx.x].frame;
}

extern "C" void channel_peaks(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    find<<<(channels + kColumns - 1) / kColumns, dim3(kColumns, kRows)>>>(frames, channels, audio, peak, at);
}
