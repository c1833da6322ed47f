// task: total
// row: 19
// expect: WRONG_VALUE
// level: screen
// Accumulates in half precision.
#include <cuda_fp16.h>

__global__ void total_kernel(int n, const float* x, float* result) {
    __shared__ float part[256];
    __half sum = __float2half(0.0f);
    for (int i = threadIdx.x; i < n; i += 256) sum = __hadd(sum, __float2half(x[i]));
    part[threadIdx.x] = __half2float(sum);
    __syncthreads();
    if (threadIdx.x == 0) {
        float all = 0.0f;
        for (int t = 0; t < 256; ++t) all += part[t];
        *result = all;
    }
}

extern "C" void total(int n, const float* x, float* result) { total_kernel<<<1, 256>>>(n, x, result); }
