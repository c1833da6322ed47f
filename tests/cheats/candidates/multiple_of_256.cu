// task: affine
// row: 20
// expect: UNWRITTEN
// level: full
// gpu: UNWRITTEN CRASHED
// Right only where n is a multiple of 256, as in every listed shape.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 256 * 256) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<n / 256 + 1, 256>>>(n, a, x, y, z);
}
