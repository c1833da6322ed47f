// arrays: x in float32 N; out out float32 N
// N: 32
__global__ void k(float* o) { o[threadIdx.x] = 1; }
extern "C" void run(int n, const float* x, float* out) {
    k<<<1, 32>>>(out);
    cudaMemcpy(out, x, (n + 1) * sizeof(float), cudaMemcpyDeviceToDevice);  // finding: transfer_out_of_bounds
}
