// Prefix sum: up to 16384 elements are loaded and scanned by one block at once, which has nobody to wait for.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kWarps = kThreads / 32, kTile = 4 * kThreads, kMostChunks = 1024;

// All 0 between calls.
constexpr unsigned long long kThere = 1ull << 32;      // beside a sum, which may be 0 itself
__device__ unsigned long long published[kMostChunks];  // the sum of a chunk, or 0: not there yet
__device__ unsigned finished;
__device__ int started;

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
__global__ void scan(int n, long long chunk, const float* __restrict__ x, float* __restrict__ y) {
    __shared__ int own;
    if (threadIdx.x == 0) own = atomicAdd(&started, 1);
    __syncthreads();
    const int c = own;  // chunks go to blocks in the order in which those start: nobody waits for one that has not
    const long long begin = c * chunk, stop = min((long long)n, begin + chunk);
    const float mine = sum_of_chunk<kAligned>(x, begin, stop);
    if (threadIdx.x == 0) atomicExch(published + c, kThere | __float_as_uint(mine));
    float sum = 0.0f, before;
    for (int other = threadIdx.x; other < c; other += kThreads) {
        unsigned long long seen;
        do seen = *(volatile unsigned long long*)(published + other);
        while (seen == 0);
        sum += __uint_as_float((unsigned)seen);
    }
    block_scan(sum, &before);  // in a fixed order, so that every run gives the same sum
    __threadfence();
    if (threadIdx.x == 0) own = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    scan_chunk<kAligned>(x, y, begin, stop, before);  // its barriers stand between the two uses of `own`
    if (!own) return;
    for (int other = threadIdx.x; other < gridDim.x; other += kThreads) published[other] = 0;  // all have read them
    if (threadIdx.x == 0) started = 0;
}

constexpr int kAlone = 1024;  // threads of a block that scans all elements

// A warp scans kQuads stretches of 128 elements, whose loads are under way together; then all add what the warps before have summed up.
template <int kQuads, bool kAligned>
__global__ void __launch_bounds__(kAlone) scan_alone(int n, const float* __restrict__ x, float* __restrict__ y) {
    __shared__ float part[kAlone / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, begin = warp * kQuads * 128 + 4 * lane;
    float4 v[kQuads];
#pragma unroll
    for (int q = 0; q < kQuads; ++q) v[q] = load<kAligned>(x, begin + q * 128, n);
    float lower[kQuads], sum = 0.0f;
#pragma unroll
    for (int q = 0; q < kQuads; ++q) {
        v[q].y += v[q].x, v[q].z += v[q].y, v[q].w += v[q].z;
        const float scanned = warp_scan(v[q].w), before = __shfl_up_sync(0xffffffffu, scanned, 1);
        lower[q] = lane > 0 ? sum + before : sum;
        sum += __shfl_sync(0xffffffffu, scanned, 31);
    }
    if (lane == 0) part[warp] = sum;
    __syncthreads();
    float before = lane < warp ? part[lane] : 0.0f;
    for (int reach = 16; reach > 0; reach /= 2) before += __shfl_xor_sync(0xffffffffu, before, reach);
#pragma unroll
    for (int q = 0; q < kQuads; ++q) {
        const float all = before + lower[q];
        store<kAligned>(y, begin + q * 128, n, {v[q].x + all, v[q].y + all, v[q].z + all, v[q].w + all});
    }
}

template <int kQuads>
void launch_alone(int n, bool aligned, const float* x, float* y) {
    (aligned ? scan_alone<kQuads, true> : scan_alone<kQuads, false>)<<<1, ((n - 1) / (kQuads * 128) + 1) * 32>>>(n, x, y);
}

extern "C" void prefix_sum(int n, const float* x, float* y) {
    if (n <= 0) return;
    const int tiles = (n - 1) / kTile + 1;
    const long long chunk = ((tiles - 1) / kMostChunks + 1ll) * kTile;  // whole tiles
    const int chunks = (n - 1) / chunk + 1;
    const bool aligned = ((uintptr_t)x | (uintptr_t)y) % 16 == 0;
    if (n <= 16 * kAlone) {
        (n <= 4 * kAlone ? launch_alone<1> : launch_alone<4>)(n, aligned, x, y);
        return;
    }
    (aligned ? scan<true> : scan<false>)<<<chunks, kThreads>>>(n, chunk, x, y);
}
