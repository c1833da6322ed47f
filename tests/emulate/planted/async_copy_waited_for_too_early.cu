// arrays: x in float32 N; out out float32 N
// N: 512
// Two stages: the wait leaves one group open, which is the one that is read.
#include <cuda_pipeline.h>

__global__ void copy(const float* x, float* out) {
    __shared__ float tile[2][256];
    const int i = threadIdx.x;
    for (int half = 0; half < 2; half++) {
        __pipeline_memcpy_async(&tile[half][i], &x[256 * half + i], 4);  // other access
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    __syncthreads();
    out[i] = tile[0][255 - i];
    // twin: __pipeline_wait_prior(0); __syncthreads();
    out[256 + i] = tile[1][255 - i];  // finding: race_async_copy uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { copy<<<1, 256>>>(x, out); }
