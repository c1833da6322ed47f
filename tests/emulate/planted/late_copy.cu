// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t own;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    float* scratch;
    cudaMallocAsync(&scratch, n * sizeof(float), own);
    twice<<<(n + 127) / 128, 128, 0, own>>>(x, scratch, n);
    cudaMemcpyAsync(out, scratch, n * sizeof(float), cudaMemcpyDeviceToDevice, own);  // finding: late_write
    cudaFreeAsync(scratch, own);
    cudaEventRecord(done, own);
    // twin: cudaStreamWaitEvent(0, done, 0);
    cudaEventDestroy(done);
    cudaStreamDestroy(own);
}
