// arrays: x in float32 N; out out float32 N
// N: 256
#include <cuda_pipeline.h>

__global__ void padded(const float* x, float* out, int n) {
    __shared__ float tile[256];
    const int i = threadIdx.x;
    __pipeline_memcpy_async(&tile[i], &x[i], 4);  // other access
    __pipeline_commit();
    // twin: __pipeline_wait_prior(0);
    if (i & 1) tile[i] = 0;  // finding: race_async_copy
    __pipeline_wait_prior(0);
    __syncthreads();
    out[i] = tile[255 - i];
}
extern "C" void run(int n, const float* x, float* out) { padded<<<1, n>>>(x, out, n); }
