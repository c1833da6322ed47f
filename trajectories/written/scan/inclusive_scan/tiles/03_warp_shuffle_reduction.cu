// Prefix sum: a block scans a tile of 256 elements by warp shuffles; tile totals are scanned by the same routine.
#include <cuda_runtime.h>

constexpr int kTile = 256;

// Inclusive scan over the lanes of a warp, in registers.
__device__ int warp_scan(int value) {
    int lane = threadIdx.x % 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        int below = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value += below;
    }
    return value;
}

// Inclusive scan over the block: warps first, then the warp totals by the first warp.
__device__ int block_scan(int value) {
    constexpr int kWarps = kTile / 32;
    __shared__ int warp_totals[kWarps];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = warp_scan(value);
    if (lane == 31) warp_totals[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int total = warp_scan(lane < kWarps ? warp_totals[lane] : 0);
        if (lane < kWarps) warp_totals[lane] = total;
    }
    __syncthreads();
    return warp > 0 ? value + warp_totals[warp - 1] : value;
}

__global__ void scan_tiles(int n, const int* in, int* out, int* totals) {
    int i = blockIdx.x * kTile + threadIdx.x;
    int value = block_scan(i < n ? in[i] : 0);
    if (i < n) out[i] = value;
    if (threadIdx.x == kTile - 1) totals[blockIdx.x] = value;
}

__global__ void add_offsets(int n, const int* scanned_totals, int* out) {
    int i = blockIdx.x * kTile + threadIdx.x;
    if (blockIdx.x > 0 && i < n) out[i] += scanned_totals[blockIdx.x - 1];
}

// Scans n elements; in and out may be the same array.
static void scan(int n, const int* in, int* out) {
    int tiles = (n - 1) / kTile + 1;
    int* totals = nullptr;
    cudaMalloc(&totals, tiles * sizeof(int));
    scan_tiles<<<tiles, kTile>>>(n, in, out, totals);
    if (tiles > 1) {
        scan(tiles, totals, totals);
        add_offsets<<<tiles, kTile>>>(n, totals, out);
    }
    cudaFree(totals);
}

extern "C" void inclusive_scan(int n, const int* in, int* out) { scan(n, in, out); }
