// task: affine
// row: 2
// expect: UNWRITTEN
// level: screen
// gpu: UNWRITTEN CRASHED
// Launches too few blocks: rounds down.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<n / 512 + 1, 256>>>(n, a, x, y, z);
}
