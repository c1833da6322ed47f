// task: affine
// row: 19
// expect: WRONG_VALUE
// level: screen
// Inputs rounded to half precision.
#include <cuda_fp16.h>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * __half2float(__float2half(x[i])) + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
