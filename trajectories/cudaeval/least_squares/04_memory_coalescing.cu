// Least squares: warps load the rows' memory in order and take the rows apart in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256, kWarps = kThreads / 32, kFeatures = 10;
constexpr int kSums = kFeatures * (kFeatures + 1) / 2 + kFeatures;  // the lower triangle by rows, each row with its right side at the end
constexpr int kMostBlocks = 132;
__device__ double partial[kSums][kMostBlocks];

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

// Leaves the block's sums for the second stage.
__device__ void leave(const double (&sum)[kSums]) {
    __shared__ double part[kWarps][kSums];
#pragma unroll
    for (int s = 0; s < kSums; ++s) {
        const double of_warp = warp_sum(sum[s]);
        if (threadIdx.x % 32 == 0) part[threadIdx.x / 32][s] = of_warp;
    }
    __syncthreads();
    if (threadIdx.x < kSums) {
        double all = 0.0;
        for (int w = 0; w < kWarps; ++w) all += part[w][threadIdx.x];
        partial[threadIdx.x][blockIdx.x] = all;
    }
}

// Lanes load neighbouring pairs of a warp's 32 rows and exchange them through shared memory. A row is an odd number of pairs there, so
// that lanes read their rows without bank conflicts.
template <bool kAligned>
__global__ void __launch_bounds__(kThreads) add_up(int n, const float* __restrict__ x, const float* __restrict__ y) {
    constexpr int kPairs = kFeatures / 2;
    __shared__ float2 staged[kWarps][32 * kPairs];
    double sum[kSums] = {};
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (long long first = (long long)blockIdx.x * kThreads + warp * 32; first < n; first += gridDim.x * kThreads) {
        const int rows = min(32ll, n - first);
        const float right = lane < rows ? y[first + lane] : 0.0f;
#pragma unroll
        for (int k = 0; k < kPairs; ++k) {
            const int p = k * 32 + lane;
            const long long at = first * kFeatures + 2 * p;
            if (p < rows * kPairs) staged[warp][p] = kAligned ? *(const float2*)(x + at) : make_float2(x[at], x[at + 1]);
        }
        __syncwarp();
        if (lane < rows) {
            float features[kFeatures];
#pragma unroll
            for (int k = 0; k < kPairs; ++k) {
                const float2 pair = staged[warp][lane * kPairs + k];
                features[2 * k] = pair.x, features[2 * k + 1] = pair.y;
            }
            add_row(features, right, sum);
        }
        __syncwarp();  // before the rows are overwritten
    }
    leave(sum);
}

// A warp a sum; then one warp solves.
__global__ void __launch_bounds__(1024) finish(int blocks, float* beta) {
    __shared__ double a[kFeatures][kFeatures], b[kFeatures];
    const int lane = threadIdx.x % 32;
    for (int s = threadIdx.x / 32; s < kSums; s += 32) {
        double sum = 0.0;
        for (int k = lane; k < blocks; k += 32) sum += partial[s][k];
        sum = warp_sum(sum);
        int i = 0, j = s;
        while (j > i + 1) j -= ++i + 1;  // row i has i + 1 products and its right side
        if (lane == 0) (j <= i ? a[i][j] : b[i]) = sum;
    }
    __syncthreads();
    if (threadIdx.x < 32) solve(a, b, beta);
}

extern "C" void least_squares(int n, const float* x, const float* y, float* beta) {
    const int blocks = min((n - 1) / kThreads + 1, kMostBlocks);
    const bool aligned = (uintptr_t)x % 8 == 0;
    (aligned ? add_up<true> : add_up<false>)<<<blocks, kThreads>>>(n, x, y);
    finish<<<1, 1024>>>(blocks, beta);
}
