// Prefix sum: tile totals first, then one scan-and-add kernel; full tiles move in 16-byte accesses.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kItems = 8;  // neighbouring elements per thread
constexpr int kTile = kThreads * kItems;

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
    constexpr int kWarps = kThreads / 32;
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

// The sum of each tile; a scan whose last thread holds the total.
__global__ void sum_tiles(int n, const int* in, int* totals) {
    long long begin = (long long)blockIdx.x * kTile;
    long long end = min(begin + kTile, (long long)n);
    int sum = 0;
    for (long long i = begin + threadIdx.x; i < end; i += kThreads) sum += in[i];
    sum = block_scan(sum);
    if (threadIdx.x == kThreads - 1) totals[blockIdx.x] = sum;
}

__global__ void scan_tiles(int n, bool aligned, const int* in, const int* scanned_totals, int* out) {
    int offset = blockIdx.x > 0 ? scanned_totals[blockIdx.x - 1] : 0;
    long long first = (long long)blockIdx.x * kTile + threadIdx.x * kItems;
    bool wide = aligned && first + kItems <= n;  // kItems is a multiple of 4, so first stays on a 16-byte boundary
    int item[kItems];
    if (wide) {
#pragma unroll
        for (int k = 0; k < kItems; k += 4) {
            int4 quad = *reinterpret_cast<const int4*>(in + first + k);
            item[k] = quad.x, item[k + 1] = quad.y, item[k + 2] = quad.z, item[k + 3] = quad.w;
        }
    } else {
#pragma unroll
        for (int k = 0; k < kItems; ++k) item[k] = first + k < n ? in[first + k] : 0;
    }
#pragma unroll
    for (int k = 1; k < kItems; ++k) item[k] += item[k - 1];

    // block_scan gives the sum up to and including this thread's items.
    int before = offset + block_scan(item[kItems - 1]) - item[kItems - 1];
    if (wide) {
#pragma unroll
        for (int k = 0; k < kItems; k += 4) {
            int4 quad = make_int4(before + item[k], before + item[k + 1], before + item[k + 2], before + item[k + 3]);
            *reinterpret_cast<int4*>(out + first + k) = quad;
        }
    } else {
#pragma unroll
        for (int k = 0; k < kItems; ++k)
            if (first + k < n) out[first + k] = before + item[k];
    }
}

// Scans n elements; in and out may be the same array.
static void scan(int n, const int* in, int* out) {
    int tiles = (n - 1) / kTile + 1;
    int* totals = nullptr;  // a single tile needs none
    if (tiles > 1) {
        cudaMalloc(&totals, tiles * sizeof(int));
        sum_tiles<<<tiles, kThreads>>>(n, in, totals);
        scan(tiles, totals, totals);
    }
    bool aligned = reinterpret_cast<uintptr_t>(in) % 16 == 0 && reinterpret_cast<uintptr_t>(out) % 16 == 0;
    scan_tiles<<<tiles, kThreads>>>(n, aligned, in, totals, out);
    if (totals) cudaFree(totals);
}

extern "C" void inclusive_scan(int n, const int* in, int* out) { scan(n, in, out); }
