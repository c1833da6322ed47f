// arrays: x in float32 N; out out float32 N
// N: 1000
// cudaMemset is an operation of the default stream, and the host does not wait for it.

__global__ void add(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&out[i], x[i]);  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    cudaMemset(out, 0, n * sizeof(float));  // other access
    // twin: cudaStreamSynchronize(0);
    add<<<(n + 127) / 128, 128, 0, own>>>(x, out, n);
    cudaStreamSynchronize(own);
    cudaStreamDestroy(own);
}
