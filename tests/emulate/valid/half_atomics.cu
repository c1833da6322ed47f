// arrays: x in int32 N; out out float32 4
// N: 640
#include <cuda_bf16.h>
#include <cuda_fp16.h>
// Small whole numbers: every sum is exact in both formats.
__global__ void add(const int* x, __half2* pair, __half* single, __nv_bfloat16* brain, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float one = x[i] % 2 ? 1.0f : 0.0f;
    atomicAdd(pair, __floats2half2_rn(one, 1.0f - one));
    atomicAdd(single, __float2half(one));
    if (i < 100) atomicAdd(brain, __float2bfloat16(1.0f));
}
__global__ void unpack(const __half2* pair, const __half* single, const __nv_bfloat16* brain, float* out) {
    out[0] = __low2float(*pair);
    out[1] = __high2float(*pair);
    out[2] = __half2float(*single);
    out[3] = __bfloat162float(*brain);
}
extern "C" void run(int n, const int* x, float* out) {
    char* scratch;
    cudaMalloc(&scratch, 12);
    cudaMemset(scratch, 0, 12);
    __half2* pair = (__half2*)scratch;
    __half* single = (__half*)(scratch + 4);
    __nv_bfloat16* brain = (__nv_bfloat16*)(scratch + 8);
    add<<<(n + 127) / 128, 128>>>(x, pair, single, brain, n);
    unpack<<<1, 1>>>(pair, single, brain, out);
    cudaFree(scratch);
}
