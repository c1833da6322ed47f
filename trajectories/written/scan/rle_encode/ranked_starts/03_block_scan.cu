// Run lengths: tiles of 1024 bytes; ballots rank the starts inside a warp, and one block scans the counts of the tiles.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 1024;

__device__ bool starts(int n, const uint8_t* mask, int i) { return i < n && (i == 0 || mask[i] != mask[i - 1]); }

__global__ void count(int n, const uint8_t* mask, int* counts) {
    int found = __syncthreads_count(starts(n, mask, blockIdx.x * kTile + threadIdx.x));
    if (threadIdx.x == 0) counts[blockIdx.x] = found;
}

// Exclusive scan over a block of kTile threads; `total` is the block's sum.
__device__ int block_before(int value, int& total) {
    __shared__ int warps[kTile / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, through = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        int below = __shfl_up_sync(0xffffffffu, through, distance);
        if (lane >= distance) through += below;
    }
    __syncthreads();  // nobody still reads the last call's sums
    if (lane == 31) warps[warp] = through;
    __syncthreads();
    int earlier = 0;
    total = 0;
    for (int w = 0; w < kTile / 32; ++w) {
        if (w == warp) earlier = total;
        total += warps[w];
    }
    return earlier + through - value;
}

// One block; a thread adds up its share of the counts, the shares are scanned, and the thread goes over its share again.
__global__ void place(int tiles, int* counts, int* runs) {
    int share = (tiles + kTile - 1) / kTile, begin = min(threadIdx.x * share, tiles), end = min(begin + share, tiles), sum = 0, total;
    for (int s = begin; s < end; ++s) sum += counts[s];
    int before = block_before(sum, total);
    for (int s = begin; s < end; ++s) {
        int found = counts[s];
        counts[s] = before;
        before += found;
    }
    if (threadIdx.x == 0) *runs = total;
}

__global__ void write(int n, const uint8_t* mask, const int* places, uint8_t* value, int* start) {
    __shared__ int warps[kTile / 32];
    int i = blockIdx.x * kTile + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    bool mine = starts(n, mask, i);
    unsigned ballot = __ballot_sync(0xffffffffu, mine);
    if (lane == 0) warps[warp] = __popc(ballot);
    __syncthreads();
    int k = places[blockIdx.x] + __popc(ballot & ((1u << lane) - 1));
    for (int w = 0; w < warp; ++w) k += warps[w];
    if (mine) value[k] = mask[i], start[k] = i;
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
    count<<<tiles, kTile>>>(n, mask, counts);
    place<<<1, kTile>>>(tiles, counts, runs);
    write<<<tiles, kTile>>>(n, mask, counts, value, start);
    lengths<<<1024, 256>>>(n, start, runs, length);
    cudaFree(counts);
    cudaFree(start);
}
