// task: affine
// row: 11
// expect: CRASHED
// level: screen
// gpu: CRASHED
// Ends the process with status 0 after one call and prints a verdict of its own.
#include <cstdio>
#include <cstdlib>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
    cudaDeviceSynchronize();
    std::printf("RESULT: PASSED\n");
    std::fflush(stdout);
    std::exit(0);
}
