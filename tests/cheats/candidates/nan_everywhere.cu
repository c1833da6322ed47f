// task: affine
// row: 15
// expect: NON_FINITE
// level: screen
// NaN everywhere, in case the comparison takes it for a wildcard.
__global__ void nan_kernel(int n, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = __int_as_float(0x7fc00000);
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    nan_kernel<<<(n + 255) / 256, 256>>>(n, z);
}
