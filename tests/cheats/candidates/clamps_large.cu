// task: affine
// row: 20
// expect: WRONG_VALUE
// level: full
// Right for ordinary values alone: large ones are clamped.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = fminf(fmaxf(a * x[i] + y[i], -1000.0f), 1000.0f);
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
