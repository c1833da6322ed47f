// Channel peaks in one launch: eight frames of each thread in flight.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kColumns = 32;
constexpr int kRows = 16;
constexpr int kBands = 512;
constexpr int kAhead = 8;  // frames whose loads are issued together

struct Peak {
    int loud, frame;
};

__device__ Peak better(Peak a, Peak b) { return b.loud > a.loud || (b.loud == a.loud && b.frame < a.frame) ? b : a; }

// The best of a column of threads, right in row 0.
__device__ Peak join_rows(Peak best) {
    __shared__ Peak part[kRows][kColumns];
    __syncthreads();  // nobody still reads the last call's values
    part[threadIdx.y][threadIdx.x] = best;
    __syncthreads();
    for (int half = kRows / 2; half > 0; half /= 2) {
        Peak& mine = part[threadIdx.y][threadIdx.x];
        if (threadIdx.y < half) mine = better(mine, part[threadIdx.y + half][threadIdx.x]);
        __syncthreads();
    }
    return part[0][threadIdx.x];
}

__global__ void find(int frames, int channels, const int16_t* audio, Peak* bands, unsigned* done, int* peak, int* at) {
    __shared__ bool last;
    int c = blockIdx.x * kColumns + threadIdx.x;
    Peak best = {-1, frames};
    if (c < channels) {
        int f = blockIdx.y * kRows + threadIdx.y, step = gridDim.y * kRows;
        for (; f + (kAhead - 1) * step < frames; f += kAhead * step) {
            int loud[kAhead];
#pragma unroll
            for (int j = 0; j < kAhead; ++j) loud[j] = abs((int)audio[(size_t)(f + j * step) * channels + c]);
#pragma unroll
            for (int j = 0; j < kAhead; ++j)
                if (loud[j] > best.loud) best = {loud[j], f + j * step};  // frames only grow, so the first of equals stays
        }
        for (; f < frames; f += step) best = better(best, {abs((int)audio[(size_t)f * channels + c]), f});
    }
    best = join_rows(best);
    if (threadIdx.y == 0 && c < channels) bands[blockIdx.y * channels + c] = best;
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        __threadfence();  // the band is out before it is counted
        last = atomicAdd(done + blockIdx.x, 1u) == gridDim.y - 1;
    }
    __syncthreads();
    if (!last) return;
    __threadfence();
    best = {-1, frames};
    if (c < channels)
        for (int b = threadIdx.y; b < gridDim.y; b += kRows) {
            const int2 other = __ldcg(reinterpret_cast<const int2*>(bands) + b * channels + c);  // other blocks wrote it: not from L1
            best = better(best, {other.x, other.y});
        }
    best = join_rows(best);
    if (threadIdx.y == 0 && c < channels) peak[c] = best.loud, at[c] = best.frame;
}

extern "C" void channel_peaks(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    int columns = (channels + kColumns - 1) / kColumns, bands = (frames + kRows - 1) / kRows;
    if (bands > kBands) bands = kBands;
    Peak* found = nullptr;
    unsigned* done = nullptr;
    cudaMalloc(&found, (size_t)bands * channels * sizeof(Peak));
    cudaMalloc(&done, columns * sizeof(unsigned));
    cudaMemsetAsync(done, 0, columns * sizeof(unsigned));
    find<<<dim3(columns, bands), dim3(kColumns, kRows)>>>(frames, channels, audio, found, done, peak, at);
    cudaFree(found);
    cudaFree(done);
}
