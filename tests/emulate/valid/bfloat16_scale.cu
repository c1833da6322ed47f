// arrays: x in bfloat16 N; out out bfloat16 N
// N: 777
#include <cuda_bf16.h>
__global__ void scale(const __nv_bfloat16* x, __nv_bfloat16* y, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) y[i] = __float2bfloat16(1.5f * __bfloat162float(x[i]));
}
extern "C" void run(int n, const __nv_bfloat16* x, __nv_bfloat16* out) { scale<<<1, 96>>>(x, out, n); }
