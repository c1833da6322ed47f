// arrays: a in int32 N; b out int32 N
// N: 100
__global__ void steps(int n, const int* a, int* b) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int taken = 0, value = i < n ? a[i] : 0;
    for (;;) {
        if (value % 7 == 0) break;
        ++value, ++taken;
    }
#pragma unroll
    for (int k = 0;; ++k) {
        if (k >= 3) break;
        taken += k;
    }
    while (true) {
        if (taken >= 4) break;
        taken *= 2;
    }
    if (i < n) b[i] = taken;
}
extern "C" void run(int n, const int* a, int* b) { steps<<<(n + 63) / 64, 64>>>(n, a, b); }
