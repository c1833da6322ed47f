// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void twice(const float* x, float* out) { out[blockIdx.x * blockDim.x + threadIdx.x] = 2 * x[blockIdx.x * blockDim.x + threadIdx.x]; }
__global__ void copy(const float* x, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = x[i];  // finding: use_after_free
}
extern "C" void run(int n, const float* x, float* out) {
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    twice<<<n / 64, 64>>>(x, scratch);
    cudaFree(scratch);  // twin:
    copy<<<n / 64, 64>>>(scratch, out);  // twin: copy<<<n / 64, 64>>>(scratch, out); cudaFree(scratch);
}
