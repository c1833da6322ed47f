// A kernel machine's predictions: one thread a query.
#include <cuda_runtime.h>

__global__ void predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v, const float* alpha,
                        float* out) {
    int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    float score = bias;
    for (int s = 0; s < support; ++s) {
        float far = 0.0f;
        for (int d = 0; d < dims; ++d) {
            float gap = x[(long long)q * dims + d] - v[(long long)s * dims + d];
            far += gap * gap;
        }
        score += alpha[s] * expf(-gamma * far);
    }
    out[q] = score;
}

extern "C" void rbf_predict(int queries, int support, int dims, float gamma, float bias, const float* x, const float* v,
                            const float* alpha, float* out) {
    if (queries > 0) predict<<<(queries + 127) / 128, 128>>>(queries, support, dims, gamma, bias, x, v, alpha, out);
}
