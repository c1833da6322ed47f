// arrays: x in int32 N; out out int32 N
// N: 777
// A chain of transfers without any kernel but the last.
__global__ void merge(const int* a, const unsigned char* bytes, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = a[i] + bytes[i];
}
extern "C" void run(int n, const int* x, int* out) {
    int* a;
    unsigned char* bytes;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMallocAsync((void**)&a, n * sizeof(int), stream);
    cudaMallocAsync((void**)&bytes, n, stream);
    cudaMemsetAsync(bytes, 7, n, stream);
    cudaMemsetAsync(bytes + n / 2, 9, n - n / 2, stream);
    cudaMemcpyAsync(a, x, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    merge<<<(n + 255) / 256, 256, 0, stream>>>(a, bytes, out, n);
    cudaFreeAsync(a, stream);
    cudaFreeAsync(bytes, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
}
