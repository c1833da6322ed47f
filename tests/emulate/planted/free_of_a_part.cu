// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    float* scratch;
    cudaMalloc(&scratch, 2 * n * sizeof(float));
    copy<<<1, n>>>(x, scratch + n);
    copy<<<1, n>>>(scratch + n, out);
    cudaFree(scratch + n);  // finding: invalid_free // twin:
    cudaFree(scratch);
}
