// arrays: x in float32 N; k in int32 N; out out float32 4*N
// N: 512
__global__ void copy(const float* __restrict__ x, const int* __restrict__ k, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    __stcs(&out[i], __ldg(&x[i]) + __ldcs(&k[i]));
    __stcg(&out[n + i], __ldcg(&x[i]) * 2);
    __stwb(&out[2 * n + i], __ldca(&x[i]) - __ldlu(&k[i]));
    __stwt(&out[3 * n + i], __ldcv(&x[i]));
}
__global__ void wide(const float4* x, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 v = __ldg(&x[i]);
    v.x += 1;
    v.w += __ldcs(&x[i]).x;
    __stcs(&out[i], v);
}
extern "C" void run(int n, const float* x, const int* k, float* out) {
    copy<<<(n + 127) / 128, 128>>>(x, k, out, n);
    wide<<<1, 128>>>((const float4*)x, (float4*)(out + 3 * n), n / 4);
}
