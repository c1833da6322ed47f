// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void root(const float* x, float* out) {
    if (x[threadIdx.x] < 0) __trap();  // finding: trap // twin: if (x[threadIdx.x] < -1) __trap();
    out[threadIdx.x] = sqrtf(x[threadIdx.x]);
}
extern "C" void run(int n, const float* x, float* out) { root<<<1, n>>>(x, out); }
