// arrays: x in float32 N; out out float32 N
// N: 1024
// Blocking streams, and that of the host thread, are not joined at the end: the default stream waits for them, and they for it.
__global__ void scale(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
__global__ void add_quarter(const float* y, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += y[i];
}
extern "C" void run(int n, const float* x, float* out) {
    static cudaStream_t blocking = nullptr, free_running = nullptr;
    static cudaEvent_t ready = nullptr;
    static float* scratch = nullptr;
    if (!blocking) {
        cudaStreamCreate(&blocking);
        cudaStreamCreateWithFlags(&free_running, cudaStreamNonBlocking);
        cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
        cudaMalloc(&scratch, 4 * n * sizeof(float));
    }
    const int quarter = n / 4, bytes = quarter * sizeof(float);
    cudaMemsetAsync(out, 0, 4 * bytes);
    scale<<<quarter / 128, 128, 0, blocking>>>(x, scratch, quarter, 2);
    add_quarter<<<quarter / 128, 128>>>(scratch, out, quarter);
    scale<<<quarter / 128, 128, 0, cudaStreamPerThread>>>(x + quarter, scratch + quarter, quarter, 3);
    add_quarter<<<quarter / 128, 128>>>(scratch + quarter, out + quarter, quarter);
    cudaEventRecord(ready, blocking);
    cudaStreamWaitEvent(free_running, ready, 0);
    scale<<<quarter / 128, 128, 0, free_running>>>(x + 2 * quarter, scratch + 2 * quarter, quarter, 4);
    cudaMemcpyAsync(out + 2 * quarter, scratch + 2 * quarter, bytes, cudaMemcpyDeviceToDevice, free_running);
    cudaEventRecord(ready, free_running);
    cudaStreamWaitEvent(blocking, ready, 0);
    scale<<<quarter / 128, 128, 0, blocking>>>(x + 3 * quarter, out + 3 * quarter, quarter, 5);
}
