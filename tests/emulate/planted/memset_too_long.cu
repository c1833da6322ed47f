// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void fill(float* out) { out[threadIdx.x] = 1; }
extern "C" void run(int n, const float* x, float* out) {
    cudaMemset(out, 0, n * sizeof(double));  // finding: transfer_out_of_bounds // twin: cudaMemset(out, 0, n * sizeof(float));
    cudaGetLastError();
    fill<<<1, n>>>(out);
}
