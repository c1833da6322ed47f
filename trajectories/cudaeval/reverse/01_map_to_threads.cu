// Reversal: one pair of elements a thread.
#include <cuda_runtime.h>

__global__ void exchange(int n, float* x) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n / 2) return;
    const float lower = x[i], upper = x[n - 1 - i];
    x[i] = upper;
    x[n - 1 - i] = lower;
}

extern "C" void reverse(int n, float* x) {
    if (n > 1) exchange<<<(n / 2 - 1) / 256 + 1, 256>>>(n, x);
}
