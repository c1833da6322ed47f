// arrays: x in float32 N; out out float32 N
// N: 256
#include <cuda/pipeline>

__global__ void mirror(const float* x, float* out) {
    __shared__ float tile[256];
    auto pipe = cuda::make_pipeline();
    pipe.producer_acquire();
    cuda::memcpy_async(&tile[threadIdx.x], &x[threadIdx.x], sizeof(float), pipe);  // other access
    pipe.producer_commit();
    // twin: pipe.consumer_wait();
    __syncthreads();
    out[threadIdx.x] = tile[255 - threadIdx.x];  // finding: race_async_copy uninit_read_shared
    pipe.consumer_release();
}
extern "C" void run(int n, const float* x, float* out) { mirror<<<1, n>>>(x, out); }
