// task: affine
// row: fault
// expect: TIMED_OUT
// level: slow
// Never ends.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    const volatile float* watched = x;
    while (watched[0] == watched[0] || watched[0] != watched[0]) {
    }
    z[0] = x[0];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
