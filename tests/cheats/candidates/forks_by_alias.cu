// task: affine
// row: 24
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// Leaves a process behind, by a name that only the assembler sees.
#define PASTE(a, b) a##b
extern "C" int split() PASTE(__as, m__)("fork");

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    if (split() == 0) {
        for (;;) {
        }
    }
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
