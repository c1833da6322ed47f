// Copy of a matrix: one element a thread.
#include <cuda_runtime.h>

__global__ void copy(long long count, const float* in, float* out) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[i] = in[i];
}

extern "C" void matrix_copy(int n, const float* in, float* out) {
    const long long count = (long long)n * n;
    if (count > 0) copy<<<(unsigned)((count - 1) / 256 + 1), 256>>>(count, in, out);
}
