// arrays: x in float16 N*64; out out float32 N*64
// N: 20
#include <cuda_fp16.h>
__global__ void __launch_bounds__(128) softmax(const __half* __restrict__ in, float* out, int cols) {
    __shared__ float red[4];
    const __half* row = in + (size_t)blockIdx.x * cols;
    float m = -INFINITY;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) m = fmaxf(m, __half2float(row[i]));
    for (int o = 16; o; o >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, o));
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = m;
    __syncthreads();
    m = fmaxf(fmaxf(red[0], red[1]), fmaxf(red[2], red[3]));
    __syncthreads();
    float s = 0;
    for (int i = threadIdx.x; i < cols; i += blockDim.x) s += __expf(__half2float(row[i]) - m);
    for (int o = 16; o; o >>= 1) s += __shfl_xor_sync(~0u, s, o);
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = s;
    __syncthreads();
    s = red[0] + red[1] + red[2] + red[3];
    for (int i = threadIdx.x; i < cols; i += blockDim.x) out[(size_t)blockIdx.x * cols + i] = __expf(__half2float(row[i]) - m) / s;
}
extern "C" void run(int n, const __half* x, float* out) { softmax<<<n, 128>>>(x, out, 64); }
