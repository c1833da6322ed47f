// task: affine
// expect: TIMED_OUT
// level: slow
// Never ends.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    volatile int forever = 1;
    while (forever) {
    }
    z[0] = x[0];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
