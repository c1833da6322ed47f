// Prefix sum: a block scans a tile of 256 elements in shared memory; tile totals are scanned by the same routine.
#include <cuda_runtime.h>

constexpr int kTile = 256;

__global__ void scan_tiles(int n, const int* in, int* out, int* totals) {
    __shared__ int buffer[2][kTile];
    int t = threadIdx.x;
    int i = blockIdx.x * kTile + t;
    int now = 0;
    buffer[now][t] = i < n ? in[i] : 0;
    __syncthreads();
    // Hillis-Steele: after the round with distance d each place holds the sum of up to 2d elements.
    for (int distance = 1; distance < kTile; distance *= 2) {
        int value = buffer[now][t];
        if (t >= distance) value += buffer[now][t - distance];
        now = 1 - now;  // the other buffer was last read before the previous barrier
        buffer[now][t] = value;
        __syncthreads();
    }
    if (i < n) out[i] = buffer[now][t];
    if (t == kTile - 1) totals[blockIdx.x] = buffer[now][t];
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
