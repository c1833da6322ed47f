// Correlation: a score is rounded to single precision once it is done: whole numbers are exact until then, and its root and quotient are single from there on.
#include <cuda_runtime.h>

#include <cstdint>

__device__ float score_of(long long dot, long long spread, long long own) {
    return spread > 0 && own > 0 ? (float)dot * rsqrtf((float)spread) * rsqrtf((float)own) : 0.0f;
}

// the first lag with the greatest dot, over a block; dots and lags in two rounds of reductions
__device__ void settle(long long most, int at, int* best) {
    __shared__ long long part[8];
    __shared__ int where[8];
    for (int apart = 16; apart > 0; apart /= 2) {
        const long long other = __shfl_xor_sync(0xffffffffu, most, apart);
        const int there = __shfl_xor_sync(0xffffffffu, at, apart);
        if (other > most || (other == most && there < at)) most = other, at = there;
    }
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = most, where[threadIdx.x / 32] = at;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < blockDim.x / 32; ++w)
        if (part[w] > most || (part[w] == most && where[w] < at)) most = part[w], at = where[w];
    *best = at;
}

constexpr int kMost = 512, kLags = 1024, kSpan = kLags + kMost;

// Sums of all samples of the tile before each, and of their squares; a warp scans 32 samples at a time, all warps behind each other.
__device__ void sum_up(const int* tile, int count, int* sums, long long* squares) {
    __shared__ int whole[kSpan / 32];
    __shared__ long long whole_squares[kSpan / 32];
    const int lane = threadIdx.x % 32;
    for (int group = threadIdx.x / 32; group < (count + 31) / 32; group += 8) {
        const int at = 32 * group + lane, value = at < count ? tile[at] : 0;
        int sum = value;
        long long square = value * value;
        for (int apart = 1; apart < 32; apart *= 2) {
            const int left = __shfl_up_sync(0xffffffffu, sum, apart);
            const long long other = __shfl_up_sync(0xffffffffu, square, apart);
            if (lane >= apart) sum += left, square += other;
        }
        sums[at + 1] = sum, squares[at + 1] = square;
        if (lane == 31) whole[group] = sum, whole_squares[group] = square;
    }
    __syncthreads();
    for (int at = threadIdx.x + 1; at <= count; at += 256) {
        int sum = 0;
        long long square = 0;
        for (int group = 0; group < (at - 1) / 32; ++group) sum += whole[group], square += whole_squares[group];
        sums[at] += sum, squares[at] += square;
    }
    if (threadIdx.x == 0) sums[0] = 0, squares[0] = 0;
    __syncthreads();
}

__global__ void correlate(int n, int m, const int16_t* __restrict__ x, const int16_t* __restrict__ pattern, float* __restrict__ score, int* best) {
    __shared__ __align__(16) int tile[kSpan + 4], own[kMost];
    __shared__ int sums[kSpan + 1];  // four lags a thread
    __shared__ long long squares[kSpan + 1];
    const int16_t* row = x + (size_t)blockIdx.x * n;
    for (int k = threadIdx.x; k < m; k += 256) own[k] = pattern[k];
    for (int k = m + threadIdx.x; k < (m + 3) / 4 * 4; k += 256) own[k] = 0;
    __syncthreads();
    long long ps = 0, pq = 0, most = -(1ll << 62);
    int at = 0x7fffffff;
    for (int k = 0; k < m; ++k) ps += own[k], pq += own[k] * own[k];
    for (int from = 0; from + m <= n; from += kLags) {
        const int count = min(kLags + m - 1, n - from);
        __syncthreads();
        for (int k = threadIdx.x; k < kSpan + 4; k += 256) tile[k] = k < count ? row[from + k] : 0;
        __syncthreads();
        sum_up(tile, count, sums, squares);
        const int first = 4 * threadIdx.x;
        long long products[4] = {};
        int4 here = *reinterpret_cast<const int4*>(&tile[first]);
        for (int k = 0; k < m; k += 4) {
            const int4 next = *reinterpret_cast<const int4*>(&tile[first + k + 4]), weights = *reinterpret_cast<const int4*>(&own[k]);
            const int value[7] = {here.x, here.y, here.z, here.w, next.x, next.y, next.z}, weight[4] = {weights.x, weights.y, weights.z, weights.w};
#pragma unroll
            for (int d = 0; d < 4; ++d)
#pragma unroll
                for (int l = 0; l < 4; ++l) products[l] += value[l + d] * weight[d];
            here = next;
        }
#pragma unroll
        for (int l = 0; l < 4; ++l) {
            const int place = first + l, lag = from + place;
            if (lag + m > n) break;
            const long long sum = sums[place + m] - sums[place], square = squares[place + m] - squares[place];
            const long long dot = m * products[l] - sum * ps;
            score[(size_t)blockIdx.x * (n - m + 1) + lag] = score_of(dot, m * square - sum * sum, m * pq - ps * ps);
            if (dot > most) most = dot, at = lag;
        }
    }
    settle(most, at, best + blockIdx.x);
}

extern "C" void moving_correlation(int channels, int n, int m, const int16_t* x, const int16_t* pattern, float* score, int32_t* best) {
    correlate<<<channels, 256>>>(n, m, x, pattern, score, best);
}
