// arrays: x in float32 N; out out float32 N
// N: 32

__global__ void sum(const float* x, float* out) {
    const int i = threadIdx.x;
    float v = x[i];
    if (i < 24) v += __shfl_down_sync(0x00ffffff, v, 8);  // finding: shuffle_inactive_source // twin: v += __shfl_down_sync(0xffffffff, v, 8);
    out[i] = v;
}
extern "C" void run(int n, const float* x, float* out) { sum<<<1, n>>>(x, out); }
