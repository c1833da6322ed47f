// arrays: x in float32 N; out out float32 N
// N: 4000
__global__ void idle() {}
extern "C" void run(int n, const float* x, float* out) {
    float* host;
    cudaMallocHost(&host, n * sizeof(float));
    cudaMemcpy(host, x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) host[i] = 2 * host[i] + 1;
    idle<<<1, 1>>>();
    cudaMemcpy(out, host, n * sizeof(float), cudaMemcpyDefault);  // finding: computed_on_host // twin: cudaMemcpy(out, x, n * sizeof(float), cudaMemcpyDefault);
    cudaFreeHost(host);
}
