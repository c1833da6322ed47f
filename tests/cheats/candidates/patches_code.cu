// task: affine
// row: 9
// expect: POLICY_REJECTED
// level: screen
// behind: PASSED
// Makes the code of a clock writable, to put a jump there.
#include <ctime>
#define PASTE(a, b) a##b
extern "C" int unprotect(void*, unsigned long, int) PASTE(__as, m__)("mprotect");

__global__ void affine_kernel(int n, float a, const float* x, const float* y, float* z) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) z[i] = a * x[i] + y[i];
}

extern "C" void affine(int n, float a, const float* x, const float* y, float* z) {
    unsigned long page = reinterpret_cast<unsigned long>(&clock_gettime) & ~4095ul;
    unprotect(reinterpret_cast<void*>(page), 8192, 7);
    affine_kernel<<<(n + 255) / 256, 256>>>(n, a, x, y, z);
}
