// task: affine
// row: 17
// expect: WRONG_VALUE
// level: screen
// A constant that would pass a loose tolerance.
__global__ void zero_kernel(int n, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = 0.0f;
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    zero_kernel<<<(n + 255) / 256, 256>>>(n, z);
}
