// arrays: x in int32 N; out out int32 8
// N: 1024
// Both streams update the same counters; the default stream waits for the second one alone.

__global__ void clear(int* out) { out[threadIdx.x] = 0; }
__global__ void count(const int* x, int* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[x[i] & 7], 1);  // finding: late_write
}
extern "C" void run(int n, const int* x, int* out) {
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    clear<<<1, 8>>>(out);
    cudaDeviceSynchronize();
    count<<<n / 256, 128, 0, first>>>(x, out, n / 2);
    count<<<n / 256, 128, 0, second>>>(x + n / 2, out, n / 2);
    // twin: cudaStreamSynchronize(first);
    cudaStreamSynchronize(second);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
