// arrays: x in float32 N; out out float32 N
// N: 64

#include <cstdint>
__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
static int table[4];
extern "C" void run(int n, const float* x, float* out) {
    int* wild = (int*)((uintptr_t)table + ((uintptr_t)n << 40));  // twin: int* wild = table + n % 2;
    *wild = 1;  // finding: crash
    copy<<<1, n>>>(x, out);
}
