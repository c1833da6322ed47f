// arrays: x in float32 N; out out float32 N
// N: 1000

__constant__ float factor;
__global__ void scale(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = factor * x[i];  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t copies, work;
    cudaStreamCreate(&copies);
    cudaStreamCreate(&work);
    cudaMemcpyToSymbolAsync(factor, x, sizeof(float), 0, cudaMemcpyDeviceToDevice, copies);  // other access
    // twin: cudaStreamSynchronize(copies);
    scale<<<(n + 127) / 128, 128, 0, work>>>(x, out, n);
    cudaStreamDestroy(copies);
    cudaStreamDestroy(work);
}
