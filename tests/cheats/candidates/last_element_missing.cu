// task: affine
// row: 2
// expect: UNWRITTEN
// level: screen
// Leaves the last element out.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
