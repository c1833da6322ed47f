// arrays: x in int32 N; out out int32 N
// N: 100
#include <cassert>
#include <cstdio>
__global__ void checked(const int* x, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(blockDim.x == 64);
    if (i >= n) return;
    assert(x[i] >= 0 && "inputs are not negative");
    if (x[i] < 0) printf("thread %d: %d\n", i, x[i]);
    out[i] = x[i] / 2;
}
extern "C" void run(int n, const int* x, int* out) { checked<<<(n + 63) / 64, 64>>>(x, out, n); }
