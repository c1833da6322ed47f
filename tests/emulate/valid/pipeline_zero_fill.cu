// arrays: x in float32 N; out out float32 N
// N: 1000
#include <cuda_pipeline.h>
// The last copy of a row reaches past the end: what lies there is filled with zeros, without being read.
__global__ void turned(int n, const float* x, float* out) {
    __shared__ float4 tile[64];
    int first = blockIdx.x * 256, t = threadIdx.x, left = min(max(n - first - 4 * t, 0), 4);
    __pipeline_memcpy_async(&tile[t], left ? x + first + 4 * t : x, 16, 16 - 4 * left);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 256; i += 64)
        if (first + i < n) out[first + i] = ((const float*)tile)[255 - i];
}
extern "C" void run(int n, const float* x, float* out) { turned<<<(n + 255) / 256, 64>>>(n, x, out); }
