// task: affine
// row: 11
// expect: BUILD_FAILED UNSUPPORTED
// level: screen
// gpu: CRASHED POLICY_REJECTED
// A static object whose constructor ends the process with status 0 before anything is checked.
#include <cstdio>
#include <cstdlib>

static struct Leaver {
    Leaver() {
        std::puts("RESULT: PASSED");
        std::fflush(stdout);
        std::exit(0);
    }
} leaver;

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
