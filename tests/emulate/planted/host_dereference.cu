// arrays: x in float32 N; out out float32 N
// N: 32
__global__ void k(float* o) { o[threadIdx.x] = 1; }
extern "C" void run(int n, const float* x, float* out) {
    k<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    out[3] = 2;  // finding: host_deref_device
}
