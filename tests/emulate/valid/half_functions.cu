// arrays: x in float16 N; out out float32 8*N
// N: 200
#include <cuda_fp16.h>
__global__ void functions(const __half* x, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __half p = __habs(x[i]) + __float2half(0.5f);
    out[8 * i] = __half2float(hexp(x[i]));
    out[8 * i + 1] = __half2float(hlog(p));
    out[8 * i + 2] = __half2float(hsqrt(p));
    out[8 * i + 3] = __half2float(hrsqrt(p));
    out[8 * i + 4] = __half2float(hsin(x[i]));
    out[8 * i + 5] = __half2float(hfloor(x[i]));
    out[8 * i + 6] = __low2float(h2exp2(__half2half2(x[i])));
    out[8 * i + 7] = __half2float(hrcp(p));
}
extern "C" void run(int n, const __half* x, float* out) { functions<<<(n + 95) / 96, 96>>>(x, out, n); }
