// Sorting: one pair of neighbours a thread and round; as many rounds as there are elements.
#include <cuda_runtime.h>

constexpr int kThreads = 256;

__global__ void exchange(int n, int first, float* x) {
    const int i = 2 * (blockIdx.x * kThreads + threadIdx.x) + first;
    if (i + 1 >= n) return;
    const float left = x[i], right = x[i + 1];
    if (left > right) x[i] = right, x[i + 1] = left;
}

extern "C" void bubble_sort(int n, float* x) {
    if (n < 2) return;
    for (int round = 0; round < n; ++round) exchange<<<(n / 2 - 1) / kThreads + 1, kThreads>>>(n, round % 2, x);
}
