// arrays: x in float32 N; out out float32 N
// N: 64
__global__ void k(int n, const float* x, float* o) { o[threadIdx.x] = x[threadIdx.x]; }
extern "C" void run(int n, const float* x, float* out) {
    k<<<1, 64>>>(n, x, out);
    cudaMemcpy(out + 1, out, (n - 1) * sizeof(float), cudaMemcpyDeviceToDevice);  // finding: transfer_overlaps // twin: cudaMemcpy(out + n / 2, out, n / 2 * sizeof(float), cudaMemcpyDeviceToDevice);
}
