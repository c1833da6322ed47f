// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // other access
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    twice<<<(n + 127) / 128, 128, 0, own>>>(x, scratch, n);
    // twin: cudaStreamSynchronize(own);
    cudaMemcpyAsync(out, scratch, n * sizeof(float), cudaMemcpyDeviceToDevice);  // finding: race_streams
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaStreamDestroy(own);
}
