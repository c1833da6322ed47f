// task: affine
// row: 31
// expect: BUILD_FAILED
// level: screen
// Keeps the compiler busy with a computation at compile time.
constexpr unsigned long endless(unsigned long v) {
    while (v != 0) v = v * 3 + 1;
    return v;
}
static_assert(endless(1) == 1, "never");

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
