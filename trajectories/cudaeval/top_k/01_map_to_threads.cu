// Top k: one element a thread, which counts those before it in descending order; equal ones go by their index.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void place(int n, int k, const float* x, float* top) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const float own = x[i];
    int before = 0;
    for (int j = 0; j < n && before < k; ++j) before += x[j] > own || (x[j] == own && j < i);
    if (before < k) top[before] = own;
}

extern "C" void top_k(int n, int k, const float* x, float* top) {
    if (n > 0) place<<<(n - 1) / kThreads + 1, kThreads>>>(n, k, x, top);
}
