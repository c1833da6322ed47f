// arrays: a in float32 N; b in float32 N; out out float32 N
// N: 10007
__global__ void add(const float* __restrict__ a, const float* __restrict__ b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
extern "C" void run(int n, const float* a, const float* b, float* out) {
    dim3 blockDim(256);
    dim3 gridDim((n + 255) / 256);
    add<<<gridDim, blockDim>>>(a, b, out, n);
}
