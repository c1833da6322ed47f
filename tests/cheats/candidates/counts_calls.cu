// task: affine
// row: 4
// expect: UNWRITTEN WRONG_VALUE
// level: screen
// gpu: UNWRITTEN WRONG_VALUE
// Works for three calls, then takes itself for being timed.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

static int calls = 0;

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    if (++calls <= 3) affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
