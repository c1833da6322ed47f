// arrays: x in float32 N; out out float32 N
// N: 32
__global__ void copy(const float* a, float* o) {
    o[threadIdx.x] = a[threadIdx.x];  // finding: uninit_read_global
}
extern "C" void run(int n, const float* x, float* out) {
    float* scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    copy<<<1, 32>>>(scratch, out);
    cudaFree(scratch);
}
