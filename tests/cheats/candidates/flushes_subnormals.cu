// task: affine
// row: 20
// expect: WRONG_VALUE
// level: full
// Flushes subnormal numbers to zero.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float v = a * x[i] + y[i];
        z[i] = fabsf(v) < 1.17549435e-38f ? 0.0f : v;
    }
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
