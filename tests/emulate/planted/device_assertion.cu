// arrays: x in float32 N; out out float32 N
// N: 64

#include <cassert>
__global__ void root(const float* x, float* out) {
    assert(x[threadIdx.x] >= 0);  // finding: device_assert // twin: assert(x[threadIdx.x] >= -1);
    out[threadIdx.x] = sqrtf(x[threadIdx.x]);
}
extern "C" void run(int n, const float* x, float* out) { root<<<1, n>>>(x, out); }
