// arrays: x in float32 N; out out float32 N
// N: 1000
// A diamond of work over two streams, ordered by events.
__global__ void scale(const float* x, float* y, int n, float factor) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = factor * x[i];
}
__global__ void add(const float* a, const float* b, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a[i] + b[i];
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t left, right;
    cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking);
    cudaStreamCreateWithPriority(&right, cudaStreamNonBlocking, 0);
    cudaEvent_t start, done, joined;
    cudaEventCreateWithFlags(&start, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    cudaEventCreate(&joined);
    float *a, *b;
    cudaMallocAsync(&a, n * sizeof(float), left);
    cudaMallocAsync(&b, n * sizeof(float), left);
    cudaEventRecord(start, left);
    cudaStreamWaitEvent(right, start, 0);
    scale<<<(n + 127) / 128, 128, 0, left>>>(x, a, n, 2.0f);
    scale<<<(n + 127) / 128, 128, 0, right>>>(x, b, n, 3.0f);
    cudaEventRecord(done, right);
    cudaStreamWaitEvent(left, done, 0);
    add<<<(n + 127) / 128, 128, 0, left>>>(a, b, out, n);
    cudaEventRecord(joined, left);
    cudaFreeAsync(a, left);
    cudaFreeAsync(b, left);
    cudaEventSynchronize(joined);
    cudaStreamSynchronize(left);
    cudaStreamSynchronize(right);
    cudaEventDestroy(start);
    cudaEventDestroy(done);
    cudaEventDestroy(joined);
    cudaStreamDestroy(left);
    cudaStreamDestroy(right);
}
