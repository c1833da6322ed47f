// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void add(const float* x, const float* bias, float* out) {
    const int i = threadIdx.x;
    out[i] = x[i] + bias[i];  // finding: null_access
}
extern "C" void run(int n, const float* x, float* out) { add<<<1, n>>>(x, nullptr, out); }  // twin: extern "C" void run(int n, const float* x, float* out) { add<<<1, n>>>(x, x, out); }
