// Gated activation: one thread an output.
#include <cuda_runtime.h>

__global__ void activate(long long count, int n, const float* pair, float* out) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long long gate = i + i / n * n;
    out[i] = pair[gate] / (1.0f + expf(-pair[gate])) * pair[gate + n];
}

extern "C" void gated_activation(int rows, int n, const float* pair, float* out) {
    long long count = (long long)rows * n;
    if (count > 0) activate<<<(unsigned)((count + 255) / 256), 256>>>(count, n, pair, out);
}
