// arrays: x in float32 N; out out float32 1
// N: 1024
__global__ void add(const float* a, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *sum += a[i];  // finding: race_global_wr race_global_rw race_global_ww
}
extern "C" void run(int n, const float* x, float* out) {
    cudaMemset(out, 0, sizeof(float));
    add<<<4, 256>>>(x, out, n);
}
