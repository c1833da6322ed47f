// Prefix sum: four elements a thread, loaded and stored at once; smaller blocks have fewer warps to wait for.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kWarps = kThreads / 32, kTile = 4 * kThreads, kMostChunks = 1024;
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

// The sum over the threads of the block before this one. `total` receives the whole block's.
__device__ float block_scan(float value, float* total) {
    __shared__ float part[kWarps];
    const int warp = threadIdx.x / 32;
    const float scanned = warp_scan(value);
    __syncthreads();  // after the use before
    if (threadIdx.x % 32 == 31) part[warp] = scanned;
    __syncthreads();
    float before = 0.0f, all = 0.0f;
    for (int w = 0; w < kWarps; ++w) {
        if (w == warp) before = all;
        all += part[w];
    }
    *total = all;
    return before + (scanned - value);
}

// Four elements from `i` on, zeros from `stop` on; in one load where the array is aligned for it.
template <bool kAligned>
__device__ float4 load(const float* __restrict__ x, long long i, long long stop) {
    if (kAligned && i + 4 <= stop) return *(const float4*)(x + i);
    return {i < stop ? x[i] : 0.0f, i + 1 < stop ? x[i + 1] : 0.0f, i + 2 < stop ? x[i + 2] : 0.0f, i + 3 < stop ? x[i + 3] : 0.0f};
}

template <bool kAligned>
__device__ void store(float* __restrict__ y, long long i, long long stop, float4 v) {
    if (kAligned && i + 4 <= stop) {
        *(float4*)(y + i) = v;
        return;
    }
    if (i < stop) y[i] = v.x;
    if (i + 1 < stop) y[i + 1] = v.y;
    if (i + 2 < stop) y[i + 2] = v.z;
    if (i + 3 < stop) y[i + 3] = v.w;
}

// The sum of a chunk, the same in every thread.
template <bool kAligned>
__device__ float sum_of_chunk(const float* __restrict__ x, long long begin, long long stop) {
    float sum = 0.0f, total;
    for (long long i = begin + 4 * threadIdx.x; i < stop; i += kTile) {
        const float4 v = load<kAligned>(x, i, stop);
        sum += (v.x + v.y) + (v.z + v.w);
    }
    block_scan(sum, &total);
    return total;
}

// Scans a chunk, `before` being the sum of what stands before it.
template <bool kAligned>
__device__ void scan_chunk(const float* __restrict__ x, float* __restrict__ y, long long begin, long long stop, float before) {
    for (long long tile = begin; tile < stop; tile += kTile) {
        const long long i = tile + 4 * threadIdx.x;
        float4 v = load<kAligned>(x, i, stop);
        v.y += v.x, v.z += v.y, v.w += v.z;
        float total;
        const float lower = before + block_scan(v.w, &total);
        v.x += lower, v.y += lower, v.z += lower, v.w += lower;
        store<kAligned>(y, i, stop, v);
        before += total;
    }
}

template <bool kAligned>
__global__ void sum_chunks(int n, long long chunk, const float* __restrict__ x) {
    const long long begin = blockIdx.x * chunk, stop = min((long long)n, begin + chunk);
    const float sum = sum_of_chunk<kAligned>(x, begin, stop);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

template <bool kAligned>
__global__ void scan_chunks(int n, long long chunk, const float* __restrict__ x, float* __restrict__ y) {
    const long long begin = blockIdx.x * chunk, stop = min((long long)n, begin + chunk);
    float sum = 0.0f, before;
    for (int c = threadIdx.x; c < blockIdx.x; c += kThreads) sum += sums[c];
    block_scan(sum, &before);
    scan_chunk<kAligned>(x, y, begin, stop, before);
}

extern "C" void prefix_sum(int n, const float* x, float* y) {
    if (n <= 0) return;
    const int tiles = (n - 1) / kTile + 1;
    const long long chunk = ((tiles - 1) / kMostChunks + 1ll) * kTile;  // whole tiles
    const int chunks = (n - 1) / chunk + 1;
    const bool aligned = ((uintptr_t)x | (uintptr_t)y) % 16 == 0;
    (aligned ? sum_chunks<true> : sum_chunks<false>)<<<chunks, kThreads>>>(n, chunk, x);
    (aligned ? scan_chunks<true> : scan_chunks<false>)<<<chunks, kThreads>>>(n, chunk, x, y);
}
