// task: affine
// row: fault
// expect: CRASHED
// level: screen
// Calls itself until the stack ends.
__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

static int deeper(volatile int* depth) {
    volatile int here[1024];
    here[0] = *depth;
    return here[0] > 1 << 30 ? 0 : deeper(here) + here[1];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    volatile int depth = n;
    z += deeper(&depth);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
