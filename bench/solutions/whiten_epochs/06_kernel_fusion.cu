// Whitening: one kernel, a block an epoch; means and factors stay in shared memory.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kC = 16;
constexpr float kRidge = 0.25f;

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

__global__ void whiten(int samples, const float* __restrict__ data, float* __restrict__ white, float* __restrict__ log_det) {
    __shared__ float l[kC][kC + 1], mean[kC], tile[kC][kC];
    const int i = threadIdx.x / kC, j = threadIdx.x % kC;
    const float* x = data + (size_t)blockIdx.x * samples * kC;
    float* out = white + (size_t)blockIdx.x * samples * kC;
    const float shift_j = x[j];
    float sum = 0.0f, sum_i = 0.0f, sum_j = 0.0f;
    for (int first = 0; first < samples; first += kC) {
        __syncthreads();
        tile[i][j] = first + i < samples ? x[(size_t)first * kC + threadIdx.x] - shift_j : 0.0f;
        __syncthreads();
#pragma unroll
        for (int t = 0; t < kC; ++t) {
            sum += tile[t][i] * tile[t][j];
            sum_i += tile[t][i];
            sum_j += tile[t][j];
        }
    }
    if (i == 0) mean[j] = shift_j + sum_j / samples;
    l[i][j] = (sum - sum_i / samples * sum_j) / samples + (i == j ? kRidge : 0.0f);
    __syncthreads();
    if (threadIdx.x < 32) {
        const float log_of = cholesky(l, threadIdx.x);
        if (threadIdx.x == 0) log_det[blockIdx.x] = log_of;
    }
    __syncthreads();
    for (int t = threadIdx.x; t < samples; t += blockDim.x) {
        float y[kC];
        const float4* from = reinterpret_cast<const float4*>(x + (size_t)t * kC);
        float4* to = reinterpret_cast<float4*>(out + (size_t)t * kC);
#pragma unroll
        for (int i = 0; i < kC; i += 4) {
            const float4 v = from[i / 4];
            y[i] = v.x - mean[i], y[i + 1] = v.y - mean[i + 1], y[i + 2] = v.z - mean[i + 2], y[i + 3] = v.w - mean[i + 3];
        }
#pragma unroll
        for (int i = 0; i < kC; ++i) {
#pragma unroll
            for (int j = 0; j < i; ++j) y[i] -= l[i][j] * y[j];
            y[i] /= l[i][i];
        }
#pragma unroll
        for (int i = 0; i < kC; i += 4) to[i / 4] = {y[i], y[i + 1], y[i + 2], y[i + 3]};
    }
}

extern "C" void whiten_epochs(int epochs, int samples, const float* data, float* white, float* log_det) {
    whiten<<<epochs, kC * kC>>>(samples, data, white, log_det);
}
