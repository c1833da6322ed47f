// arrays: x in float32 N; out out float32 N
// N: 1000

__global__ void twice(const float* x, float* y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];  // other access
}
__global__ void plus_one(const float* y, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = y[i] + 1;  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    twice<<<(n + 127) / 128, 128, 0, first>>>(x, scratch, n);
    plus_one<<<(n + 127) / 128, 128, 0, second>>>(scratch, out, n);  // twin: plus_one<<<(n + 127) / 128, 128, 0, first>>>(scratch, out, n);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
}
