// A tensor times two factors: one thread an output.
#include <cuda_runtime.h>

__global__ void contract(int n, int rows, int cols, int rank, const float* x, const float* b, const float* c, float* out) {
    long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= (long long)n * rank) return;
    int r = (int)(at % rank);
    const float* slab = x + at / rank * rows * cols;
    float sum = 0.0f;
    for (int j = 0; j < rows; ++j)
        for (int k = 0; k < cols; ++k) sum += slab[(long long)j * cols + k] * b[(long long)j * rank + r] * c[(long long)k * rank + r];
    out[at] = sum;
}

extern "C" void tensor_factor(int n, int rows, int cols, int rank, const float* x, const float* b, const float* c, float* out) {
    long long count = (long long)n * rank;
    if (count > 0) contract<<<(unsigned)((count + 127) / 128), 128>>>(n, rows, cols, rank, x, b, c, out);
}
