// task: affine
// row: 10
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// An indirect function, whose resolver runs while the object is loaded.
extern "C" {
typedef int (*Compare)(const void*, const void*, unsigned long);
static int equal(const void*, const void*, unsigned long) { return 0; }
static Compare choose() { return equal; }
int bcmp(const void*, const void*, unsigned long) __attribute__((ifunc("choose"), visibility("default")));
}

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
