// Whitening: sixteen groups of threads share the samples, and a thread has the products of four channels by four in registers.
#include <cuda_runtime.h>

#include <cstddef>

constexpr int kC = 16;
constexpr float kRidge = 0.25f;
constexpr int kThreads = 256, kWarps = kThreads / 32;
constexpr int kTile = kThreads / 4;  // samples at a time

__global__ void correlate(int samples, const float* __restrict__ data, float* __restrict__ mean, float* __restrict__ factor) {
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
    if (i == 0) mean[blockIdx.x * kC + j] = data[(size_t)blockIdx.x * samples * kC + j] + sum_j / samples;
    factor[(size_t)blockIdx.x * kC * kC + threadIdx.x] = (sum - sum_i / samples * sum_j) / samples + (i == j ? kRidge : 0.0f);
}

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

__global__ void factorise(float* factor, float* log_det) {
    __shared__ float l[kC][kC + 1];
    float* own = factor + (size_t)blockIdx.x * kC * kC;
    for (int i = threadIdx.x; i < kC * kC; i += 32) l[i / kC][i % kC] = own[i];
    __syncwarp();
    const float sum = cholesky(l, threadIdx.x);
    for (int i = threadIdx.x; i < kC * kC; i += 32) own[i] = l[i / kC][i % kC];
    if (threadIdx.x == 0) log_det[blockIdx.x] = sum;
}

__global__ void apply(int epochs, int samples, const float* __restrict__ data, const float* __restrict__ mean,
                      const float* __restrict__ factor, float* __restrict__ white) {
    const long long row = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= (long long)epochs * samples) return;
    const float* m = mean + row / samples * kC;
    const float* l = factor + row / samples * kC * kC;
    const float4* from = reinterpret_cast<const float4*>(data + row * kC);
    float4* to = reinterpret_cast<float4*>(white + row * kC);
    float y[kC];
#pragma unroll
    for (int i = 0; i < kC; i += 4) {
        const float4 v = from[i / 4], centre = *reinterpret_cast<const float4*>(m + i);
        y[i] = v.x - centre.x, y[i + 1] = v.y - centre.y, y[i + 2] = v.z - centre.z, y[i + 3] = v.w - centre.w;
    }
#pragma unroll
    for (int i = 0; i < kC; ++i) {
#pragma unroll
        for (int j = 0; j < i; ++j) y[i] -= l[i * kC + j] * y[j];
        y[i] /= l[i * kC + i];
    }
#pragma unroll
    for (int i = 0; i < kC; i += 4) to[i / 4] = {y[i], y[i + 1], y[i + 2], y[i + 3]};
}

extern "C" void whiten_epochs(int epochs, int samples, const float* data, float* white, float* log_det) {
    float *mean = nullptr, *factor = nullptr;
    cudaMallocAsync(&mean, sizeof(float) * epochs * kC, 0);
    cudaMallocAsync(&factor, sizeof(float) * epochs * kC * kC, 0);
    const long long rows = (long long)epochs * samples;
    correlate<<<epochs, kThreads>>>(samples, data, mean, factor);
    factorise<<<epochs, 32>>>(factor, log_det);
    apply<<<(unsigned)((rows + 127) / 128), 128>>>(epochs, samples, data, mean, factor, white);
    cudaFreeAsync(mean, 0);
    cudaFreeAsync(factor, 0);
}
