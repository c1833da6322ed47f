// arrays: x in float32 N; out out float32 N
// N: 256

__global__ void largest(const float* x, float* most) { atomicMax((int*)most, __float_as_int(fabsf(x[threadIdx.x]))); }
__global__ void divide(const float* x, float* out, float by) { out[threadIdx.x] = x[threadIdx.x] / by; }
extern "C" void run(int n, const float* x, float* out) {
    float *most, *pinned;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&most, sizeof(float));
    cudaMallocHost(&pinned, sizeof(float));
    cudaMemsetAsync(most, 0, sizeof(float), stream);
    largest<<<1, n, 0, stream>>>(x, most);
    cudaMemcpyAsync(pinned, most, sizeof(float), cudaMemcpyDeviceToHost, stream);  // other access
    // twin: cudaStreamSynchronize(stream);
    divide<<<1, n, 0, stream>>>(x, out, *pinned);  // finding: host_before_sync
    cudaStreamSynchronize(stream);
    cudaFree(most);
    cudaFreeHost(pinned);
    cudaStreamDestroy(stream);
}
