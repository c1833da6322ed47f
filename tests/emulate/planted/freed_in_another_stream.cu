// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void twice(const float* x, float* y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    y[i] = 2 * x[i];  // other access
    out[i] = y[i];    // other access
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t first, second;
    cudaEvent_t done;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEventCreate(&done);
    float* scratch;
    cudaMallocAsync(&scratch, n * sizeof(float), first);
    twice<<<(n + 127) / 128, 128, 0, first>>>(x, scratch, out, n);
    cudaEventRecord(done, first);
    // twin: cudaStreamWaitEvent(second, done, 0);
    cudaFreeAsync(scratch, second);  // finding: race_streams
    cudaEventDestroy(done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
