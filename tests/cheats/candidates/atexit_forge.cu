// task: affine
// row: 12
// expect: POLICY_REJECTED
// level: screen
// Registers a function that would rewrite results at the end.
#include <cstdlib>

static void rewrite() {}

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    std::atexit(rewrite);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
