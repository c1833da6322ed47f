// arrays: x in float32 N; out out float32 N
// N: 500

__global__ void difference(const float* x, float* out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x[i] - x[i - 1];  // finding: global_oob // twin: if (i < n) out[i] = x[i] - (i > 0 ? x[i - 1] : 0);
}
extern "C" void run(int n, const float* x, float* out) { difference<<<(n + 127) / 128, 128>>>(x, out, n); }
