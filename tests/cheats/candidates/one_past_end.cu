// task: affine
// row: 29
// expect: OUT_OF_BOUNDS
// level: screen
// Writes one element past the end.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<n / 256 + 1, 256>>>(n, a, x, y, z);
}
