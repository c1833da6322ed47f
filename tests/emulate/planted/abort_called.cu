// arrays: x in float32 N; out out float32 N
// N: 64

#include <cstdlib>
__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    copy<<<1, n>>>(x, out);
    if (n > 10) abort();  // finding: aborted // twin: if (n < 10) abort();
}
