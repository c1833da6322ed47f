// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void twice(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * x[i];  // finding: late_write
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);  // twin: cudaStreamCreate(&own);
    twice<<<(n + 127) / 128, 128, 0, own>>>(x, out, n);
    cudaStreamDestroy(own);
}
