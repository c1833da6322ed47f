// arrays: x in float32 N; out out float32 N
// N: 300

__constant__ float weights[5];
__global__ void weigh(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] * weights[i % 6];  // finding: device_variable_oob // twin: if (i < n) out[i] = x[i] * weights[i % 5];
}
extern "C" void run(int n, const float* x, float* out) {
    const float host[5] = {1, 2, 3, 4, 5};
    cudaMemcpyToSymbol(weights, host, sizeof host);
    weigh<<<(n + 127) / 128, 128>>>(x, out, n);
}
