// task: affine
// row: 7
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// A thread made by clone itself, which no header declares here.
extern "C" int clone(int (*)(void*), void*, int, void*, ...);

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

static char stack[1 << 16];
static int spin(void*) {
    for (;;) {
    }
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    clone(spin, stack + sizeof stack, 0x10f00, nullptr);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
