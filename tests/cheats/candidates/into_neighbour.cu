// task: affine
// row: 29
// expect: OUT_OF_BOUNDS
// level: screen
// gpu: OUT_OF_BOUNDS INPUT_MODIFIED
// Writes far past the end, where another array may lie.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
    if (i == 0) z[n + 3000] = 0.0f;
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
