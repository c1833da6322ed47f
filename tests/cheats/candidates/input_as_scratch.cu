// task: affine
// row: 16
// expect: INPUT_MODIFIED
// level: screen
// The right output, but an input is used as scratch.
__global__ void affine_kernel(int n, float a, float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        x[i] = a * x[i];
        z[i] = x[i] + y[i];
    }
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, const_cast<float*>(x), y, z);
}
