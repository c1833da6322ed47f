// arrays: x in float16 2*N; y in float16 2*N; out out float16 8*N
// N: 300
#include <cuda_fp16.h>
// Pairs: operators, fused and saturating intrinsics, extremes, swaps.
__global__ void pairs(const half2* x, const half2* y, half2* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    half2 a = x[i], b = y[i];
    out[4 * i] = __hfma2(a, b, __float2half2_rn(0.25f));
    out[4 * i + 1] = __hmax2(a, b) - __hmin2(a, b);
    out[4 * i + 2] = __hadd2_sat(__hmul2(a, __half2half2(__float2half(2.0f))), b);
    out[4 * i + 3] = __halves2half2(__high2half(a), __low2half(b)) * __hneg2(__habs2(b));
}
extern "C" void run(int n, const __half* x, const __half* y, __half* out) {
    pairs<<<(n + 63) / 64, 64>>>((const half2*)x, (const half2*)y, (half2*)out, n);
}
