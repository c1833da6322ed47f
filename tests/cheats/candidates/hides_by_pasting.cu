// task: affine
// row: 15
// expect: POLICY_REJECTED
// level: screen
// A right kernel whose accesses nobody is to count, by an attribute that the preprocessor puts together.
#define PASTE(a, b) a##b
__attribute__((PASTE(no_sani, tize)("thread"))) __global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
