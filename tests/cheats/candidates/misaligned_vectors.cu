// task: affine
// row: fault
// expect: MISALIGNED
// level: screen
// Vector loads from an address that is no multiple of their width.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i == 0) z[0] = a * x[0] + y[0];
    if (2 * i + 2 < n) {
        float2 u = *reinterpret_cast<const float2*>(x + 2 * i + 1);
        z[2 * i + 1] = a * u.x + y[2 * i + 1];
        z[2 * i + 2] = a * u.y + y[2 * i + 2];
    }
    if (i == 0 && n > 1) z[n - 1] = a * x[n - 1] + y[n - 1];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
