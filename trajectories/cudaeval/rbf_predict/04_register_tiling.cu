// A kernel machine's predictions: a block takes 64 queries and 64 support vectors, a thread four of each, so that eight values read from
// shared memory serve sixteen differences. Tiles lie with the dimension outermost; the sums of sixteen threads meet by shuffles.
#include <cuda_runtime.h>

constexpr int kTile = 64, kDeep = 16, kEach = 4;

__global__ void __launch_bounds__(256) predict(int queries, int support, int dims, float gamma, float bias, const float* __restrict__ x,
                                               const float* __restrict__ v, const float* __restrict__ alpha, float* __restrict__ out) {
    __shared__ float own[kDeep][kTile + 1], other[kDeep][kTile + 1];
    int column = threadIdx.x % 16, row = threadIdx.x / 16, top = blockIdx.x * kTile;
    float score[kEach] = {};
    for (int first = 0; first < support; first += kTile) {
        float far[kEach][kEach] = {};
        for (int base = 0; base < dims; base += kDeep) {
            int d = base + column;
            for (int r = row; r < kTile; r += 16) {
                own[column][r] = top + r < queries && d < dims ? x[(long long)(top + r) * dims + d] : 0.0f;
                other[column][r] = first + r < support && d < dims ? v[(long long)(first + r) * dims + d] : 0.0f;
            }
            __syncthreads();
            for (int k = 0; k < kDeep; ++k) {
                float a[kEach], b[kEach];
#pragma unroll
                for (int i = 0; i < kEach; ++i) {
                    a[i] = own[k][row * kEach + i];
                    b[i] = other[k][column + 16 * i];
                }
#pragma unroll
                for (int i = 0; i < kEach; ++i)
#pragma unroll
                    for (int j = 0; j < kEach; ++j) far[i][j] += (a[i] - b[j]) * (a[i] - b[j]);
            }
            __syncthreads();
        }
#pragma unroll
        for (int j = 0; j < kEach; ++j) {
            int s = first + column + 16 * j;
            float weight = s < support ? alpha[s] : 0.0f;
#pragma unroll
            for (int i = 0; i < kEach; ++i) score[i] += weight * expf(-gamma * far[i][j]);
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
