// Run lengths: sixteen bytes for each thread; tiles of 4096 are counted, scanned and written.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kTile = 256;  // threads
constexpr int kItems = 16;  // bytes of a thread

// The sixteen bytes from `first` on, and as bits which of them start a run.
__device__ unsigned starts(int n, bool wide, const uint8_t* mask, long long first, uint32_t (&word)[4]) {
    if (first >= n) return 0;
    int here = (int)min((long long)kItems, n - first);
    if (wide && here == kItems) {
        uint4 four = *reinterpret_cast<const uint4*>(mask + first);
        word[0] = four.x, word[1] = four.y, word[2] = four.z, word[3] = four.w;
    } else {
        word[0] = word[1] = word[2] = word[3] = 0;
#pragma unroll
        for (int j = 0; j < kItems; ++j)
            if (j < here) word[j / 4] |= (uint32_t)mask[first + j] << (j % 4 * 8);
    }
    unsigned bits = 0;
    int last = first > 0 ? mask[first - 1] : -1;
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        int byte = word[j / 4] >> (j % 4 * 8) & 255;
        bits |= (unsigned)(byte != last) << j;
        last = byte;
    }
    return bits & (0xffffu >> (kItems - here));
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

__global__ void count(int n, bool wide, const uint8_t* mask, int* counts) {
    uint32_t word[4];
    int total;
    block_before(__popc(starts(n, wide, mask, ((long long)blockIdx.x * kTile + threadIdx.x) * kItems, word)), total);
    if (threadIdx.x == 0) counts[blockIdx.x] = total;
}

__global__ void write(int n, bool wide, const uint8_t* mask, const int* places, uint8_t* value, int* start) {
    long long first = ((long long)blockIdx.x * kTile + threadIdx.x) * kItems;
    uint32_t word[4];
    int total;
    unsigned bits = starts(n, wide, mask, first, word);
    int k = places[blockIdx.x] + block_before(__popc(bits), total);
#pragma unroll
    for (int j = 0; j < kItems; ++j) {
        if (bits >> j & 1) {
            value[k] = (uint8_t)(word[j / 4] >> (j % 4 * 8)), start[k] = (int)(first + j);
            ++k;
        }
    }
}

// The length of a run is the distance to the next run's start.
__global__ void lengths(int n, const int* start, const int* runs, int* length) {
    for (int k = blockIdx.x * blockDim.x + threadIdx.x; k < *runs; k += gridDim.x * blockDim.x)
        length[k] = (k + 1 < *runs ? start[k + 1] : n) - start[k];
}

extern "C" void rle_encode(int n, const uint8_t* mask, uint8_t* value, int* length, int* runs) {
    int tiles = (n - 1) / (kTile * kItems) + 1;
    bool wide = reinterpret_cast<uintptr_t>(mask) % 16 == 0;
    int *counts = nullptr, *start = nullptr;
    cudaMalloc(&counts, tiles * sizeof(int));
    cudaMalloc(&start, (size_t)n * sizeof(int));
    count<<<tiles, kTile>>>(n, wide, mask, counts);
    place<<<1, kTile>>>(tiles, counts, runs);
    write<<<tiles, kTile>>>(n, wide, mask, counts, value, start);
    lengths<<<1024, 256>>>(n, start, runs, length);
    cudaFree(counts);
    cudaFree(start);
}
