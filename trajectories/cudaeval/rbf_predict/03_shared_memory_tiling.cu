// A kernel machine's predictions: eight queries and 32 support vectors at a time meet in shared memory, 32 dimensions after 32, so that a
// support vector is loaded once for eight queries and in contiguous pieces. Columns are padded against bank conflicts.
#include <cuda_runtime.h>

constexpr int kWarps = 8, kDeep = 32;

__global__ void predict(int queries, int support, int dims, float gamma, float bias, const float* __restrict__ x,
                        const float* __restrict__ v, const float* __restrict__ alpha, float* __restrict__ out) {
    __shared__ float own[kWarps][kDeep], other[32][kDeep + 1];
    int lane = threadIdx.x, warp = threadIdx.y, q = blockIdx.x * kWarps + warp;
    float score = 0.0f;
    for (int first = 0; first < support; first += 32) {
        float far = 0.0f;
        for (int base = 0; base < dims; base += kDeep) {
            int d = base + lane;
            own[warp][lane] = q < queries && d < dims ? x[(long long)q * dims + d] : 0.0f;
            for (int s = warp; s < 32; s += kWarps)
                other[s][lane] = first + s < support && d < dims ? v[(long long)(first + s) * dims + d] : 0.0f;
            __syncthreads();
#pragma unroll 8
            for (int k = 0; k < kDeep; ++k) {
                float gap = own[warp][k] - other[lane][k];
                far += gap * gap;
            }
            __syncthreads();
        }
        if (first + lane < support) score += alpha[first + lane] * expf(-gamma * far);
    }
    for (int gap = 16; gap > 0; gap /= 2) score += __shfl_down_sync(0xffffffffu, score, gap);
    if (lane == 0 && q < queries) out[q] = bias + score;
}

extern "C" void rbf_predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v,
                            const float* alpha, float* out) {
    if (queries > 0)
        predict<<<(queries + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(queries, support, dims, gamma, bias, x, v, alpha, out);
}
