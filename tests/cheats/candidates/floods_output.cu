// task: affine
// row: fault
// expect: OUTPUT_LIMIT
// level: screen
// Floods standard output.
#include <cstdio>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    for (long i = 0; i < 100000000; ++i) std::puts("............................................................");
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
