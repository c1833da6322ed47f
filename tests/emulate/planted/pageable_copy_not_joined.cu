// arrays: x in float32 N; out out float32 N
// N: 1000
// cudaMemcpy from pageable memory may return before its bytes have reached the device: the default stream knows when.

__global__ void times(const float* x, const float* factors, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factors[i & 3] * x[i];  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    const float factors[4] = {1, 2, 3, 4};
    float* kept;
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaMalloc(&kept, sizeof factors);
    cudaMemcpy(kept, factors, sizeof factors, cudaMemcpyHostToDevice);  // other access
    // twin: cudaStreamSynchronize(0);
    times<<<(n + 127) / 128, 128, 0, own>>>(x, kept, out, n);
    cudaStreamSynchronize(own);
    cudaFree(kept);
    cudaStreamDestroy(own);
}
