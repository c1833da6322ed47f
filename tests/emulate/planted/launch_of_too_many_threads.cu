// arrays: x in float32 N; out out float32 N
// N: 1056

__global__ void twice(const float* x, float* out) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * x[i];
}
extern "C" void run(int n, const float* x, float* out) {
    twice<<<1, n>>>(x, out);  // finding: launch_refused // twin: twice<<<n / 32, 32>>>(x, out);
}
