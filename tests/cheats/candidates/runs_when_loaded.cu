// task: affine
// row: 11
// expect: POLICY_REJECTED
// level: screen
// behind: CRASHED
// A constructor function that ends the process with status 0 before anything is checked.
extern "C" void _exit(int);
__attribute__((constructor)) static void leave() { _exit(0); }

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
