// arrays: x in bfloat16 2*N; y in bfloat16 2*N; out out float32 6*N
// N: 300
#include <cuda_bf16.h>
__global__ void pairs(const __nv_bfloat162* x, const __nv_bfloat162* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __nv_bfloat162 a = x[i], b = y[i];
    float2 sum = __bfloat1622float2(__hadd2(a, b));
    float2 product = __bfloat1622float2(__hmul2(a, b));
    __nv_bfloat162 fused = __hfma2(a, b, __floats2bfloat162_rn(1.0f, -1.0f));
    out[6 * i] = sum.x;
    out[6 * i + 1] = sum.y;
    out[6 * i + 2] = product.x;
    out[6 * i + 3] = product.y;
    out[6 * i + 4] = __low2float(fused);
    out[6 * i + 5] = __bfloat162float(__high2bfloat16(fused));
}
extern "C" void run(int n, const __nv_bfloat16* x, const __nv_bfloat16* y, float* out) {
    pairs<<<(n + 127) / 128, 128>>>((const __nv_bfloat162*)x, (const __nv_bfloat162*)y, out, n);
}
