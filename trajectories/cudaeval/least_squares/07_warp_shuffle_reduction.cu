// Least squares: lanes that add up a warp's sums share them out: each exchange halves what a lane still has, in place of five for every sum.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kWarps = kThreads / 32, kFeatures = 10;
constexpr int kSums = kFeatures * (kFeatures + 1) / 2 + kFeatures;  // the lower triangle by rows, each row with its right side at the end
constexpr int kMostBlocks = 132;
__device__ double partial[kSums][kMostBlocks];
__device__ unsigned finished;  // blocks that have left their sums; wraps around to 0 with the last one

constexpr int kPairs = kFeatures / 2, kStages = 3;

// Rows of a warp and their right sides.
struct Stage {
    float2 pair[32 * kPairs];
    float right[32];
};

__device__ double warp_sum(double value) {
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_down_sync(0xffffffffu, value, reach);
    return value;
}

// Cholesky factor of the 10 x 10 matrix `a` and two triangular solves by one warp, a row a lane. Reciprocals take the place of most
// divisions, of which one would follow another.
__device__ void solve(const double (*a)[kFeatures], const double* b, float* beta) {
    const int lane = threadIdx.x % 32, row = min(lane, kFeatures - 1);
    double own[kFeatures], right = b[row], reciprocal[kFeatures];
#pragma unroll
    for (int j = 0; j < kFeatures; ++j) own[j] = j <= row ? a[row][j] : 0.0;
#pragma unroll
    for (int j = 0; j < kFeatures; ++j) {
        reciprocal[j] = 1.0 / sqrt(__shfl_sync(0xffffffffu, own[j], j));
        own[j] *= reciprocal[j];
#pragma unroll
        for (int k = j + 1; k < kFeatures; ++k) own[k] -= own[j] * __shfl_sync(0xffffffffu, own[j], k);
        // The first solve goes along: rows below take out what this row has found.
        const double found = __shfl_sync(0xffffffffu, right, j) * reciprocal[j];
        if (lane == j) right = found;
        if (lane > j) right -= own[j] * found;
    }
#pragma unroll
    for (int i = kFeatures - 1; i >= 0; --i) {
        const double found = __shfl_sync(0xffffffffu, right, i) * reciprocal[i];
        if (lane == i) right = found;
#pragma unroll
        for (int k = 0; k < i; ++k) {
            const double factor = __shfl_sync(0xffffffffu, own[k], i);  // of row i and column k
            if (lane == k) right -= factor * found;
        }
    }
    if (lane < kFeatures) beta[lane] = right;
}

// Adds a row's products to the sums, which stay in registers.
__device__ void add_row(const float (&features)[kFeatures], float y, double (&sum)[kSums]) {
    int s = 0;
#pragma unroll
    for (int i = 0; i < kFeatures; ++i) {
#pragma unroll
        for (int j = 0; j <= i; ++j) sum[s++] += (double)features[i] * features[j];
        sum[s++] += (double)features[i] * y;
    }
}

// Lanes kReach apart give each other half of 2 * kReach values and add what they receive to the other half; then so on with what is left.
template <int kReach>
__device__ void share_out(double* value) {
    const bool upper = threadIdx.x & kReach;
#pragma unroll
    for (int i = 0; i < kReach; ++i) {
        const double given = upper ? value[i] : value[i + kReach], kept = upper ? value[i + kReach] : value[i];
        value[i] = kept + __shfl_xor_sync(0xffffffffu, given, kReach);
    }
    if constexpr (kReach > 1) share_out<kReach / 2>(value);
}

// Leaves the block's sums for the second stage. Of each 32 sums a lane ends with one; the last sum is left over.
__device__ void leave(double (&sum)[kSums]) {
    static_assert(kSums == 65);
    __shared__ double part[kWarps][kSums];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    share_out<16>(sum);
    share_out<16>(sum + 32);
    const double last = warp_sum(sum[64]);
    part[warp][lane] = sum[0], part[warp][32 + lane] = sum[32];
    if (lane == 0) part[warp][64] = last;
    __syncthreads();
    if (threadIdx.x < kSums) {
        double all = 0.0;
        for (int w = 0; w < kWarps; ++w) all += part[w][threadIdx.x];
        partial[threadIdx.x][blockIdx.x] = all;
    }
}

// Copies a warp's 32 rows from `first` on, and their right sides, to shared memory; nobody waits for them yet.
template <bool kAligned>
__device__ void start_copy(int n, long long first, const float* __restrict__ x, const float* __restrict__ y, Stage& stage) {
    const int lane = threadIdx.x % 32, rows = max(0ll, min(32ll, n - first));
    if (lane < rows) __pipeline_memcpy_async(stage.right + lane, y + first + lane, sizeof(float));
#pragma unroll
    for (int k = 0; k < kPairs; ++k) {
        const int p = k * 32 + lane;
        if (p >= rows * kPairs) continue;
        const float* from = x + first * kFeatures + 2 * p;
        if constexpr (kAligned) {
            __pipeline_memcpy_async(stage.pair + p, from, sizeof(float2));
        } else {
            stage.pair[p] = make_float2(from[0], from[1]);
        }
    }
    __pipeline_commit();
}

// A warp keeps the copies of its next rows under way: the sums take so many registers that there are too few warps to hide the latency of
// memory. A row is an odd number of pairs in shared memory, so that lanes read their rows without bank conflicts.
template <bool kAligned>
__device__ void add_rows(int n, const float* __restrict__ x, const float* __restrict__ y, double (&sum)[kSums]) {
    __shared__ Stage staged[kWarps][kStages];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const long long start = (long long)blockIdx.x * kThreads + warp * 32, step = (long long)gridDim.x * kThreads;
    for (int s = 0; s < kStages - 1; ++s) start_copy<kAligned>(n, start + s * step, x, y, staged[warp][s]);
    int now = 0;
    for (long long first = start; first < n; first += step) {
        start_copy<kAligned>(n, first + (kStages - 1) * step, x, y, staged[warp][(now + kStages - 1) % kStages]);
        __pipeline_wait_prior(kStages - 1);
        __syncwarp();  // lanes wait for their own copies only
        if (first + lane < n) {
            const Stage& stage = staged[warp][now];
            float features[kFeatures];
#pragma unroll
            for (int k = 0; k < kPairs; ++k) {
                const float2 pair = stage.pair[lane * kPairs + k];
                features[2 * k] = pair.x, features[2 * k + 1] = pair.y;
            }
            add_row(features, stage.right[lane], sum);
        }
        __syncwarp();  // before the rows are overwritten
        now = (now + 1) % kStages;
    }
    __pipeline_wait_prior(0);
}

// The last block to finish adds the blocks' sums up and solves.
template <bool kAligned>
__global__ void __launch_bounds__(kThreads) fit(int n, const float* __restrict__ x, const float* __restrict__ y, float* __restrict__ beta) {
    __shared__ bool is_last;
    __shared__ double a[kFeatures][kFeatures], b[kFeatures];
    double sum[kSums] = {};
    add_rows<kAligned>(n, x, y, sum);
    leave(sum);
    __threadfence();  // the sums are seen before the count
    __syncthreads();
    if (threadIdx.x == 0) is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!is_last) return;
    __threadfence();
    // A warp has some of the sums, whose loads are under way together.
    constexpr int kOwn = (kSums + kWarps - 1) / kWarps;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    double own[kOwn] = {};
    for (int k = lane; k < gridDim.x; k += 32)
#pragma unroll
        for (int o = 0; o < kOwn; ++o) own[o] += __ldcg(&partial[min(o * kWarps + warp, kSums - 1)][k]);
#pragma unroll
    for (int o = 0; o < kOwn; ++o) {
        const int s = o * kWarps + warp;
        own[o] = warp_sum(own[o]);
        int i = 0, j = s;
        while (j > i + 1) j -= ++i + 1;  // row i has i + 1 products and its right side
        if (lane == 0 && s < kSums) (j <= i ? a[i][j] : b[i]) = own[o];
    }
    __syncthreads();
    if (warp == 0) solve(a, b, beta);
}

extern "C" void least_squares(int n, const float* x, const float* y, float* beta) {
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    const bool aligned = (uintptr_t)x % 8 == 0;
    (aligned ? fit<true> : fit<false>)<<<blocks, kThreads>>>(n, x, y, beta);
}
