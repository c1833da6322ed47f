// arrays: x in float32 N; out out float32 N
// N: 1024
#include <cuda_pipeline.h>
// Double buffering by asynchronous copies of 16 bytes.
__global__ void stream(const float4* x, float4* out, int steps) {
    __shared__ float4 buffer[2][32];
    int first = blockIdx.x * steps * 32, t = threadIdx.x;
    __pipeline_memcpy_async(&buffer[0][t], &x[first + t], sizeof(float4));
    __pipeline_commit();
    for (int step = 0; step < steps; step++) {
        if (step + 1 < steps) __pipeline_memcpy_async(&buffer[(step + 1) % 2][t], &x[first + 32 * (step + 1) + t], sizeof(float4));
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        float4 v = buffer[step % 2][31 - t];
        out[first + 32 * step + t] = make_float4(v.w, v.z, v.y, v.x);
        __syncthreads();
    }
}
extern "C" void run(int n, const float* x, float* out) { stream<<<2, 32>>>((const float4*)x, (float4*)out, n / 256); }
