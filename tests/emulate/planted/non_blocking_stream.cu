// arrays: x in float32 N; out out float32 N
// N: 512

__global__ void twice(const float* x, float* y) { y[blockIdx.x * blockDim.x + threadIdx.x] = 2 * x[blockIdx.x * blockDim.x + threadIdx.x]; }  // other access
__global__ void negate(const float* y, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = -y[i];  // finding: race_streams
}
extern "C" void run(int n, const float* x, float* out) {
    cudaStream_t own;
    cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);  // twin: cudaStreamCreate(&own);
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    twice<<<n / 128, 128, 0, own>>>(x, scratch);
    negate<<<n / 128, 128>>>(scratch, out);
    cudaDeviceSynchronize();
    cudaFree(scratch);
    cudaStreamDestroy(own);
}
