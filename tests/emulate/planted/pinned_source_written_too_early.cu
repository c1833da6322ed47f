// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void scale(const float* x, const float* by, float* out) { out[threadIdx.x] = x[threadIdx.x] * *by; }
extern "C" void run(int n, const float* x, float* out) {
    float *by, *pinned;
    cudaMalloc(&by, sizeof(float));
    cudaHostAlloc((void**)&pinned, sizeof(float), cudaHostAllocDefault);
    *pinned = 3;
    cudaMemcpyAsync(by, pinned, sizeof(float), cudaMemcpyHostToDevice);  // other access
    scale<<<1, n>>>(x, by, out);
    // twin: cudaStreamSynchronize(0);
    *pinned = 4;  // finding: host_before_sync
    cudaDeviceSynchronize();
    cudaFree(by);
    cudaFreeHost(pinned);
}
