// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void negate(const float* y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = -y[i];  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t copies, work;
    cudaEvent_t copied;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&work);
    cudaEventCreate(&copied);
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    cudaMemcpyAsync(scratch, x, n * sizeof(float), cudaMemcpyDeviceToDevice, copies);  // other access
    cudaEventRecord(copied, copies);
    // twin: cudaStreamWaitEvent(work, copied, 0);
    negate<<<(n + 127) / 128, 128, 0, work>>>(scratch, out, n);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaEventDestroy(copied);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(work);
}
