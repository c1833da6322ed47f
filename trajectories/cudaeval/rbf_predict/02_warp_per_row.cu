// A kernel machine's predictions: one warp a query, whose lanes take the support vectors in turn; the 64 queries' worth of work that one
// thread did in a row is spread over the device.
#include <cuda_runtime.h>

constexpr int kWarps = 8;

__global__ void predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v, const float* alpha,
                        float* out) {
    int q = blockIdx.x * kWarps + threadIdx.y;
    if (q >= queries) return;
    float score = 0.0f;
    for (int s = threadIdx.x; s < support; s += 32) {
        float far = 0.0f;
        for (int d = 0; d < dims; ++d) {
            float gap = x[(long long)q * dims + d] - v[(long long)s * dims + d];
            far += gap * gap;
        }
        score += alpha[s] * expf(-gamma * far);
    }
    for (int gap = 16; gap > 0; gap /= 2) score += __shfl_down_sync(0xffffffffu, score, gap);
    if (threadIdx.x == 0) out[q] = bias + score;
}

extern "C" void rbf_predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v,
                            const float* alpha, float* out) {
    if (queries > 0)
        predict<<<(queries + kWarps - 1) / kWarps, dim3(32, kWarps)>>>(queries, support, dims, gamma, bias, x, v, alpha, out);
}
