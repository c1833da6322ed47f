// Prefix sum: each block adds the sums of the chunks before its own up itself, in place of a kernel between.
#include <cuda_runtime.h>

constexpr int kThreads = 1024, kWarps = kThreads / 32, kMostChunks = 1024;
__device__ float sums[kMostChunks];

// The sum over this thread and those before it in the warp.
__device__ float warp_scan(float value) {
    const int lane = threadIdx.x % 32;
    for (int reach = 1; reach < 32; reach *= 2) {
        const float lower = __shfl_up_sync(0xffffffffu, value, reach);
        if (lane >= reach) value += lower;
    }
    return value;
}

// The sum over this thread and those before it in the block. `total` receives the whole block's.
__device__ float block_scan(float value, float* total) {
    __shared__ float part[kWarps];
    const int warp = threadIdx.x / 32;
    value = warp_scan(value);
    __syncthreads();  // after the use before
    if (threadIdx.x % 32 == 31) part[warp] = value;
    __syncthreads();
    if (warp == 0) {
        const float scanned = warp_scan(threadIdx.x < kWarps ? part[threadIdx.x] : 0.0f);
        __syncwarp();
        if (threadIdx.x < kWarps) part[threadIdx.x] = scanned;
    }
    __syncthreads();
    *total = part[kWarps - 1];
    return warp > 0 ? part[warp - 1] + value : value;
}

__global__ void sum_chunks(int n, long long chunk, const float* x) {
    const long long begin = blockIdx.x * chunk, stop = min((long long)n, begin + chunk);
    float sum = 0.0f, total;
    for (long long i = begin + threadIdx.x; i < stop; i += kThreads) sum += x[i];
    block_scan(sum, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

// The sum of all chunks before this block's, the same in every thread.
__device__ float sum_before() {
    float total;
    block_scan(threadIdx.x < blockIdx.x ? sums[threadIdx.x] : 0.0f, &total);  // there are no more chunks than threads
    return total;
}

__global__ void scan_chunks(int n, long long chunk, const float* x, float* y) {
    const long long begin = blockIdx.x * chunk, stop = min((long long)n, begin + chunk);
    float before = sum_before();
    for (long long tile = begin; tile < stop; tile += kThreads) {
        const long long i = tile + threadIdx.x;
        float total;
        const float scanned = block_scan(i < stop ? x[i] : 0.0f, &total);
        if (i < stop) y[i] = before + scanned;
        before += total;
    }
}

extern "C" void prefix_sum(int n, const float* x, float* y) {
    if (n <= 0) return;
    const int tiles = (n - 1) / kThreads + 1;
    const long long chunk = ((tiles - 1) / kMostChunks + 1ll) * kThreads;  // whole tiles
    const int chunks = (n - 1) / chunk + 1;
    sum_chunks<<<chunks, kThreads>>>(n, chunk, x);
    scan_chunks<<<chunks, kThreads>>>(n, chunk, x, y);
}
