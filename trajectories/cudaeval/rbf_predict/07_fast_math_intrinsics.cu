// A kernel machine's predictions: the exponential is the hardware's power of two, with the factor log2(e) in gamma.
#include <cuda_runtime.h>

constexpr int kTile = 64, kDeep = 16, kEach = 4;

__global__ void __launch_bounds__(256) predict(int queries, int support, int dims, float gamma, float bias, const float* __restrict__ x,
                                               const float* __restrict__ v, const float* __restrict__ alpha, float* __restrict__ out) {
    __shared__ __align__(16) float own[kDeep][kTile + 4], other[kDeep][kTile + 4];
    int column = threadIdx.x % 16, row = threadIdx.x / 16, top = blockIdx.x * kTile;
    const float scaled = -1.44269504f * gamma;
    float score[kEach] = {}, near[kEach] = {};
    for (int first = 0; first < support; first += kTile) {
        float dot[kEach][kEach] = {}, far[kEach] = {};
        for (int base = 0; base < dims; base += kDeep) {
            int d = base + column;
            for (int r = row; r < kTile; r += 16) {
                own[column][r] = top + r < queries && d < dims ? x[(long long)(top + r) * dims + d] : 0.0f;
                other[column][r] = first + r < support && d < dims ? v[(long long)(first + r) * dims + d] : 0.0f;
            }
            __syncthreads();
#pragma unroll
            for (int k = 0; k < kDeep; ++k) {
                const float4 left = *reinterpret_cast<const float4*>(&own[k][row * kEach]);
                const float4 right = *reinterpret_cast<const float4*>(&other[k][column * kEach]);
                const float a[kEach] = {left.x, left.y, left.z, left.w}, b[kEach] = {right.x, right.y, right.z, right.w};
#pragma unroll
                for (int i = 0; i < kEach; ++i)
#pragma unroll
                    for (int j = 0; j < kEach; ++j) dot[i][j] += a[i] * b[j];
#pragma unroll
                for (int i = 0; i < kEach; ++i) {
                    if (first == 0) near[i] += a[i] * a[i];
                    far[i] += b[i] * b[i];
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            int s = first + column * kEach + j;
            float weight = s < support ? alpha[s] : 0.0f;
#pragma unroll
            for (int i = 0; i < kEach; ++i) score[i] += weight * exp2f(scaled * (near[i] + far[j] - 2.0f * dot[i][j]));
        }
    }
#pragma unroll
    for (int i = 0; i < kEach; ++i) {
        for (int gap = 8; gap > 0; gap /= 2) score[i] += __shfl_down_sync(0xffffffffu, score[i], gap, 16);
        int q = top + row * kEach + i;
        if (column == 0 && q < queries) out[q] = bias + score[i];
    }
}

extern "C" void rbf_predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v,
                            const float* alpha, float* out) {
    if (queries > 0) predict<<<(queries + kTile - 1) / kTile, 256>>>(queries, support, dims, gamma, bias, x, v, alpha, out);
}
