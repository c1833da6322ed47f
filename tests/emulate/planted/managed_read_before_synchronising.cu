// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void total(const float* x, float* sum) { atomicAdd(sum, x[threadIdx.x]); }  // other access
__global__ void divide(const float* x, float* out, float by) { out[threadIdx.x] = x[threadIdx.x] / by; }
extern "C" void run(int n, const float* x, float* out) {
    float* sum;
    cudaMallocManaged(&sum, sizeof(float));
    *sum = 1;
    total<<<1, n>>>(x, sum);
    // twin: cudaDeviceSynchronize();
    divide<<<1, n>>>(x, out, *sum);  // finding: host_before_sync
    cudaFree(sum);
}
