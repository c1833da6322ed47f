// Linear layer with GELU: a thread for each output.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__device__ float gelu(float v) { return 0.5f * v * (1.0f + erff(v * 0.70710678f)); }

__global__ void layer(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    int o = blockIdx.x * blockDim.x + threadIdx.x, t = blockIdx.y * blockDim.y + threadIdx.y;
    if (o >= outs || t >= tokens) return;
    float sum = __half2float(bias[o]);
    for (int i = 0; i < ins; ++i) sum += __half2float(x[(size_t)t * ins + i]) * __half2float(weight[(size_t)o * ins + i]);
    y[(size_t)t * outs + o] = __float2half(gelu(sum));
}

extern "C" void linear_gelu(int tokens, int ins, int outs, const __half* x, const __half* weight, const __half* bias, __half* y) {
    dim3 block(32, 8);
    layer<<<dim3((outs + 31) / 32, (tokens + 7) / 8), block>>>(tokens, ins, outs, x, weight, bias, y);
}
