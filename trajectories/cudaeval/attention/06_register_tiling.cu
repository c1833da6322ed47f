// Attention: four rows a warp where there are enough of them, so that a key or a value, once in registers, serves twice as many. The
// hardware's own exponential.
#include <cuda_runtime.h>

#include <cfloat>
#include <cmath>
#include <cstdint>

constexpr int kWarps = 4, kThreads = 32 * kWarps;

__device__ float warp_max(float value) {
    for (int reach = 16; reach > 0; reach /= 2) value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, reach));
    return value;
}

__device__ float warp_sum(float value) {
    for (int reach = 16; reach > 0; reach /= 2) value += __shfl_xor_sync(0xffffffffu, value, reach);
    return value;
}

// A warp a row of a head, 32 keys at a time: a lane scores one key, then takes one of 32 columns. What has been summed is scaled down where
// a larger score turns up, so that one pass is enough. For heads of any width.
__global__ void attend_wide(int n, int d, int width, float scale, const float* __restrict__ q, const float* __restrict__ k,
                            const float* __restrict__ v, float* __restrict__ out) {
    const int lane = threadIdx.x % 32, row = blockIdx.x * kWarps + threadIdx.x / 32;
    if (row >= n) return;
    const int first = blockIdx.y * width, column = blockIdx.z * 32 + lane;
    const float* own = q + (long long)row * d + first;
    float most = -INFINITY, total = 0.0f, sum = 0.0f;
    for (int begin = 0; begin < n; begin += 32) {
        float score = -INFINITY;
        if (begin + lane < n) {
            const float* key = k + (long long)(begin + lane) * d + first;
            float dot = 0.0f;
            for (int c = 0; c < width; ++c) dot += own[c] * key[c];
            score = __fmul_rn(dot, scale);  // rounded: as the largest score is, which is subtracted from it
        }
        const float before = most;
        most = fmaxf(most, warp_max(score));
        const float weight = expf(score - most), shrink = expf(before - most);
        total = total * shrink + weight;
        sum *= shrink;
        for (int t = 0; t < min(32, n - begin); ++t) {
            const float of_key = __shfl_sync(0xffffffffu, weight, t);
            if (column < width) sum += of_key * v[(long long)(begin + t) * d + first + column];
        }
    }
    total = warp_sum(total);
    if (column < width) out[(long long)row * d + first + column] = sum / total;
}

// Lanes share the values that they still have with another lane, so that the number of values halves with each step.
template <int kHalf, int kWidth>
__device__ void halve(float (&value)[kWidth]) {
    if constexpr (kHalf > 0) {
        constexpr int kReach = 32 * kHalf / kWidth;
        const bool upper = threadIdx.x & kReach;
#pragma unroll
        for (int c = 0; c < kHalf; ++c) {
            const float given = upper ? value[c] : value[c + kHalf], kept = upper ? value[c + kHalf] : value[c];
            value[c] = kept + __shfl_xor_sync(0xffffffffu, given, kReach);
        }
        halve<kHalf / 2>(value);
    }
}

// The sums over the warp of kWidth values a lane; a lane returns the sum of value lane / (32 / kWidth).
template <int kWidth>
__device__ float shared_sum(float (&value)[kWidth]) {
    halve<kWidth / 2>(value);
    float sum = value[0];
    for (int reach = 16 / kWidth; reach > 0; reach /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, reach);
    return sum;
}

// Rows are padded by 16 bytes, so that eight lanes' loads of 16 bytes at one column fall into different banks.
template <int kWidth, int kRows>
struct Tile {
    static constexpr int kStride = kWidth + 4;
    float value[kRows][kStride];
};

// Rows of a head from `begin` on; zeros past the last row and column. By four columns where they are whole and aligned. A thread stays in
// its columns.
template <bool kAligned, int kWidth, int kRows>
__device__ void load(Tile<kWidth, kRows>& tile, int begin, int n, int d, int first, int width, const float* __restrict__ from) {
    constexpr int kBy = kAligned ? 4 : 1, kLine = kWidth / kBy, kStep = kThreads / kLine;
    const int c = threadIdx.x % kLine * kBy, top = threadIdx.x / kLine, rows = c < width ? n - begin : 0;
    from += (long long)(begin + top) * d + first + c;
#pragma unroll 8
    for (int t = 0; t < kRows; t += kStep, from += (long long)kStep * d) {
        if (kRows % kStep != 0 && t + top >= kRows) break;
        if constexpr (kAligned) {
            *(float4*)&tile.value[t + top][c] = t + top < rows ? *(const float4*)from : float4{};
        } else {
            tile.value[t + top][c] = t + top < rows ? *from : 0.0f;
        }
    }
}

// Heads of up to 32 columns, which is `kWidth` or less. A warp has some rows; a lane has every 32nd key, with a largest score and sums of
// its own for all columns, so that a key and a value in registers serve all rows and lanes need each other only at the end.
template <int kWidth, int kRows, bool kAligned>
__global__ void __launch_bounds__(kThreads, kWidth* kRows > 64 ? 2 : 3)
    attend(int n, int d, int width, float scale, const float* __restrict__ q, const float* __restrict__ k, const float* __restrict__ v,
           float* __restrict__ out) {
    constexpr int kKeys = 128, kOwn = kKeys / 32;
    __shared__ __align__(16) Tile<kWidth, kKeys> keys, values;
    __shared__ __align__(16) Tile<kWidth, kWarps * kRows> queries;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, first = blockIdx.y * width, row = (blockIdx.x * kWarps + warp) * kRows;
    load<kAligned>(queries, blockIdx.x * kWarps * kRows, n, d, first, width, q);
    float most[kRows], total[kRows] = {}, sum[kRows][kWidth] = {};
#pragma unroll
    for (int r = 0; r < kRows; ++r) most[r] = -FLT_MAX;  // a lane may have no key
    for (int begin = 0; begin < n; begin += kKeys) {
        __syncthreads();  // the keys before are done with
        load<kAligned>(keys, begin, n, d, first, width, k);
        load<kAligned>(values, begin, n, d, first, width, v);
        __syncthreads();
        float score[kRows][kOwn] = {};
#pragma unroll
        for (int c = 0; c < kWidth; c += 4) {
            float4 query[kRows];
#pragma unroll
            for (int r = 0; r < kRows; ++r) query[r] = *(const float4*)&queries.value[warp * kRows + r][c];
#pragma unroll
            for (int o = 0; o < kOwn; ++o) {
                const float4 key = *(const float4*)&keys.value[o * 32 + lane][c];
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    score[r][o] += query[r].x * key.x;
                    score[r][o] += query[r].y * key.y;
                    score[r][o] += query[r].z * key.z;
                    score[r][o] += query[r].w * key.w;
                }
            }
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            const float before = most[r];
#pragma unroll
            for (int o = 0; o < kOwn; ++o) {
                // Rounded: as the largest one is, which is subtracted from it. A key past the last one has no weight.
                score[r][o] = begin + o * 32 + lane < n ? __fmul_rn(score[r][o], scale) : -INFINITY;
                most[r] = fmaxf(most[r], score[r][o]);
            }
            const float shrink = __expf(before - most[r]);
            total[r] *= shrink;
#pragma unroll
            for (int c = 0; c < kWidth; ++c) sum[r][c] *= shrink;
#pragma unroll
            for (int o = 0; o < kOwn; ++o) total[r] += score[r][o] = __expf(score[r][o] - most[r]);
        }
#pragma unroll
        for (int o = 0; o < kOwn; ++o)
#pragma unroll
            for (int c = 0; c < kWidth; c += 4) {
                const float4 value = *(const float4*)&values.value[o * 32 + lane][c];
#pragma unroll
                for (int r = 0; r < kRows; ++r) {
                    sum[r][c] += score[r][o] * value.x;
                    sum[r][c + 1] += score[r][o] * value.y;
                    sum[r][c + 2] += score[r][o] * value.z;
                    sum[r][c + 3] += score[r][o] * value.w;
                }
            }
    }
#pragma unroll
    for (int r = 0; r < kRows; ++r) {
        const float share = __expf(most[r] - warp_max(most[r]));  // 0 in a lane without keys
        const float all = warp_sum(total[r] * share);
#pragma unroll
        for (int c = 0; c < kWidth; ++c) sum[r][c] *= share;
        const float own = shared_sum<kWidth>(sum[r]);
        const int column = lane / (32 / kWidth);
        if (row + r < n && column < width && lane % (32 / kWidth) == 0) out[(long long)(row + r) * d + first + column] = own / all;
    }
}

template <int kWidth, int kRows>
void launch(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    const int width = d / h;
    const bool aligned = width % 4 == 0 && ((uintptr_t)q | (uintptr_t)k | (uintptr_t)v) % 16 == 0;  // then so is every head's part
    (aligned ? attend<kWidth, kRows, true> : attend<kWidth, kRows, false>)<<<dim3((n - 1) / (kRows * kWarps) + 1, h), kThreads>>>(
        n, d, width, 1.0f / sqrtf((float)width), q, k, v, out);
}

extern "C" void attention(int n, int d, int h, const float* q, const float* k, const float* v, float* out) {
    if (n == 0 || d == 0) return;
    const int width = d / h;
    const bool many = n >= 4096 / h;  // of four rows a warp there are still enough for every processor
    if (width > 32) {
        const dim3 blocks((n - 1) / kWarps + 1, h, (width - 1) / 32 + 1);
        attend_wide<<<blocks, kThreads>>>(n, d, width, 1.0f / sqrtf((float)width), q, k, v, out);
    } else if (width <= 8) {
        (many ? launch<8, 4> : launch<8, 2>)(n, d, h, q, k, v, out);
    } else if (width <= 16) {
        (many ? launch<16, 4> : launch<16, 2>)(n, d, h, q, k, v, out);
    } else {
        (many ? launch<32, 4> : launch<32, 2>)(n, d, h, q, k, v, out);
    }
}
