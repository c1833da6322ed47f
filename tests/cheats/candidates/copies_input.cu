// task: affine
// row: 17
// expect: WRONG_VALUE
// level: screen
// Hands an input back, which a loose tolerance might take for the answer.
__global__ void copy_kernel(int n, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) { copy_kernel<<<(n + 255) / 256, 256>>>(n, y, z); }
