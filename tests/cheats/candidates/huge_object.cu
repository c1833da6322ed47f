// task: affine
// row: 31
// expect: BUILD_FAILED
// level: screen
// An initialised array larger than any file may be.
static char huge[3ul << 30] = {1};

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    huge[n] = 1;
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z + huge[n + 1]);
}
