// task: affine
// row: fault
// expect: OUT_OF_MEMORY
// level: slow
// Touches more host memory than it may.
#include <cstdlib>
#include <cstring>

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    for (int i = 0; i < 64; ++i) std::memset(std::malloc(256u << 20), 1, 256u << 20);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
