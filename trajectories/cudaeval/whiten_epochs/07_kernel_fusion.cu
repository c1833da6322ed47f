// Whitening: one kernel, a block an epoch; means and factors stay in shared memory.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kC = 16;
constexpr float kRidge = 0.25f;
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kTile = kThreads / 4;  // samples at a time

// The Cholesky factor of a matrix in shared memory, in place, by one warp; a lane has a row. Returns the logarithm of the determinant.
__device__ float cholesky(float (*l)[kC + 1], int lane) {
    float sum = 0.0f;
    for (int k = 0; k < kC; ++k) {
        const float root = sqrtf(l[k][k]);
        sum += 2.0f * logf(root);
        __syncwarp();
        if (lane == k) l[k][k] = root;
        if (lane > k && lane < kC) l[lane][k] /= root;
        __syncwarp();
        for (int j = k + 1; j <= lane && lane < kC; ++j) l[lane][j] -= l[lane][k] * l[j][k];
        __syncwarp();
    }
    return sum;
}

__global__ void __launch_bounds__(kThreads, 5)
    whiten(int samples, const float* __restrict__ data, float* __restrict__ white, float* __restrict__ log_det) {
    __shared__ float l[kC][kC + 1], mean[kC];
    __shared__ float4 tile[kTile][kC / 4];
    __shared__ float part[kWarps][kC][kC], part_sum[kWarps][kC];
    const int group = threadIdx.x / kC, top = threadIdx.x / 4 % 4, left = threadIdx.x % 4;  // four channels by four
    const float4* x = reinterpret_cast<const float4*>(data + (size_t)blockIdx.x * samples * kC);
    const float4 shift = x[left];
    float product[4][4] = {}, sum_left[4] = {};
    for (int first = 0; first < samples; first += kTile) {
        const bool is_inside = first + (int)threadIdx.x / 4 < samples;
        const float4 v = is_inside ? x[(size_t)first * 4 + threadIdx.x] : shift;
        __syncthreads();
        tile[threadIdx.x / 4][left] = {v.x - shift.x, v.y - shift.y, v.z - shift.z, v.w - shift.w};
        __syncthreads();
#pragma unroll
        for (int t = 0; t < kTile; t += kThreads / kC) {
            const float4 p = tile[t + group][top], q = tile[t + group][left];
            const float a[4] = {p.x, p.y, p.z, p.w}, b[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int n = 0; n < 4; ++n) {
                sum_left[n] += b[n];
#pragma unroll
                for (int m = 0; m < 4; ++m) product[m][n] += a[m] * b[n];
            }
        }
    }
#pragma unroll
    for (int n = 0; n < 4; ++n) {
        sum_left[n] += __shfl_xor_sync(0xffffffffu, sum_left[n], kC);
        if (group % 2 == 0 && top == 0) part_sum[threadIdx.x / 32][left * 4 + n] = sum_left[n];
#pragma unroll
        for (int m = 0; m < 4; ++m) {
            product[m][n] += __shfl_xor_sync(0xffffffffu, product[m][n], kC);
            if (group % 2 == 0) part[threadIdx.x / 32][top * 4 + m][left * 4 + n] = product[m][n];
        }
    }
    __syncthreads();
    const int i = threadIdx.x / kC, j = threadIdx.x % kC;
    float sum = 0.0f, sum_i = 0.0f, sum_j = 0.0f;
#pragma unroll
    for (int w = 0; w < kWarps; ++w) sum += part[w][i][j], sum_i += part_sum[w][i], sum_j += part_sum[w][j];
    if (i == 0) mean[j] = reinterpret_cast<const float*>(x)[j] + sum_j / samples;
    l[i][j] = (sum - sum_i / samples * sum_j) / samples + (i == j ? kRidge : 0.0f);
    __syncthreads();
    if (threadIdx.x < 32) {
        const float log_of = cholesky(l, threadIdx.x);
        if (threadIdx.x == 0) log_det[blockIdx.x] = log_of;
    }
    __syncthreads();
    float4* out = reinterpret_cast<float4*>(white + (size_t)blockIdx.x * samples * kC);
    for (int first = 0; first < samples; first += kThreads) {
        const int t = first + threadIdx.x;
        __syncwarp();  // or else the compiler keeps the whole factor in registers, and few threads have room
        if (t >= samples) continue;
        float y[kC];
#pragma unroll
        for (int c = 0; c < kC; c += 4) {
            const float4 v = x[(size_t)t * 4 + c / 4];
            y[c] = v.x - mean[c], y[c + 1] = v.y - mean[c + 1], y[c + 2] = v.z - mean[c + 2], y[c + 3] = v.w - mean[c + 3];
        }
#pragma unroll
        for (int c = 0; c < kC; ++c) {
#pragma unroll
            for (int j = 0; j < c; ++j) y[c] -= l[c][j] * y[j];
            y[c] /= l[c][c];
        }
#pragma unroll
        for (int c = 0; c < kC; c += 4) out[(size_t)t * 4 + c / 4] = {y[c], y[c + 1], y[c + 2], y[c + 3]};
    }
}

extern "C" void whiten_epochs(int epochs, int samples, const float* data, float* white, float* log_det) {
    whiten<<<epochs, kThreads>>>(samples, data, white, log_det);
}
