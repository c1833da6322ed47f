// Run lengths: a block walks a tile of 2048 bytes 256 at a time and keeps count of the runs on the way.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kTile = 2048;

__device__ bool starts(const uint8_t* mask, int i) { return i == 0 || mask[i] != mask[i - 1]; }

// The block's number of starts, counted in strides that keep the reads contiguous.
__global__ void count(int n, const uint8_t* mask, int* counts) {
    __shared__ int sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    int found = 0;
    long long begin = (long long)blockIdx.x * kTile;
    for (long long i = begin + threadIdx.x; i < min(begin + kTile, (long long)n); i += kThreads) found += starts(mask, i);
    found = __reduce_add_sync(0xffffffffu, found);
    if (threadIdx.x % 32 == 0) atomicAdd(&sum, found);
    __syncthreads();
    if (threadIdx.x == 0) counts[blockIdx.x] = sum;
}

__global__ void place(int tiles, int* counts, int* runs) {
    int before = 0;
    for (int s = 0; s < tiles; ++s) {
        int found = counts[s];
        counts[s] = before;
        before += found;
    }
    *runs = before;
}

__global__ void write(int n, const uint8_t* mask, const int* places, uint8_t* value, int* start) {
    __shared__ int warps[kThreads / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, k0 = places[blockIdx.x];
    long long begin = (long long)blockIdx.x * kTile;
    for (long long i0 = begin; i0 < min(begin + kTile, (long long)n); i0 += kThreads) {
        long long i = i0 + threadIdx.x;
        bool mine = i < n && starts(mask, i);
        unsigned ballot = __ballot_sync(0xffffffffu, mine);
        if (lane == 0) warps[warp] = __popc(ballot);
        __syncthreads();
        int k = k0 + __popc(ballot & ((1u << lane) - 1));
        for (int w = 0; w < kThreads / 32; ++w) {
            if (w < warp) k += warps[w];
            k0 += warps[w];
        }
        if (mine) value[k] = mask[i], start[k] = (int)i;
        __syncthreads();
    }
}

// The length of a run is the distance to the next run's start.
__global__ void lengths(int n, const int* start, const int* runs, int* length) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < *runs; k += gridDim.x * blockDim.x)
        length[k] = (k + 1 < *runs ? start[k + 1] : n) - start[k];
}

extern "C" void rle_encode(int n, const uint8_t* mask, uint8_t* value, int* length, int* runs) {
    int tiles = (n - 1) / kTile + 1;
    int *counts = nullptr, *start = nullptr;
    cudaMalloc(&counts, tiles * sizeof(int));
    cudaMalloc(&start, (size_t)n * sizeof(int));
    count<<<tiles, kThreads>>>(n, mask, counts);
    place<<<1, 1>>>(tiles, counts, runs);
    write<<<tiles, kThreads>>>(n, mask, counts, value, start);
    lengths<<<1024, 256>>>(n, start, runs, length);
    cudaFree(counts);
    cudaFree(start);
}
