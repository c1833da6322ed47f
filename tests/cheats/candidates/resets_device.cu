// task: affine
// row: 15
// expect: UNSUPPORTED
// level: screen
// gpu: CRASHED BAD_POINTER UNWRITTEN WRONG_VALUE OUT_OF_BOUNDS
// Resets the device, so that what was seen there is forgotten.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
    cudaDeviceReset();
}
