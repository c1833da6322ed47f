// task: affine
// row: 11
// expect: CRASHED
// level: screen
// Aborts.
#include <cstdlib>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::abort();
}
