// task: affine
// row: 16
// expect: INPUT_MODIFIED
// level: screen
// Zeroes an input, so that a reference run on the same memory would agree.
__global__ void affine_kernel(int n, float a, float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = 0.0f;
        z[i] = y[i];
    }
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, const_cast<float*>(x), y, z);
}
