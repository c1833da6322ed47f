// Odd-even transposition: n rounds, a thread a pair.
__global__ void exchange(int n, int first, float* x) {
    const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + first;
    if (i + 1 >= n || x[i] <= x[i + 1]) return;
    const float kept = x[i];
    x[i] = x[i + 1];
    x[i + 1] = kept;
}

extern "C" void bubble_sort(int n, float* x) {
    for (int round = 0; round < n; round++) exchange<<<(n / 2 + 256) / 256, 256>>>(n, round % 2, x);
}
