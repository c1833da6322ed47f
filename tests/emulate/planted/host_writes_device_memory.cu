// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void copy(const float* x, float* out) { out[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    copy<<<1, n>>>(x, out);
    cudaDeviceSynchronize();
    out[0] = 0;  // finding: host_deref_device // twin: cudaMemset(out, 0, sizeof(float));
}
