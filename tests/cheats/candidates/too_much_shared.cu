// task: affine
// row: 29
// expect: CRASHED
// level: screen
// gpu: CRASHED
// Asks for more shared memory than a block can have, and does not look at the error.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256, 1 << 20>>>(n, a, x, y, z);
}
