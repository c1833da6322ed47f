// arrays: x in float32 N; out out float32 N
// N: 1000
// Both streams read the scratch; what writes it next waits for the second one alone.

__global__ void copy(const float* y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = y[i];  // other access
}
__global__ void clear(float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 0;  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t first, second;
    cudaEvent_t first_done, second_done;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    cudaEventCreate(&first_done);
    cudaEventCreate(&second_done);
    float *scratch, *other;
    cudaMalloc(&scratch, n * sizeof(float));
    cudaMalloc(&other, n * sizeof(float));
    copy<<<(n + 127) / 128, 128>>>(x, scratch, n);
    cudaDeviceSynchronize();
    copy<<<(n + 127) / 128, 128, 0, first>>>(scratch, out, n);
    copy<<<(n + 127) / 128, 128, 0, second>>>(scratch, other, n);
    cudaEventRecord(first_done, first);
    cudaEventRecord(second_done, second);
    // twin: cudaStreamWaitEvent(0, first_done, 0);
    cudaStreamWaitEvent(0, second_done, 0);
    clear<<<(n + 127) / 128, 128>>>(scratch, n);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaFree(other);
    cudaEventDestroy(first_done);
    cudaEventDestroy(second_done);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
