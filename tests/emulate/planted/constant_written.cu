// arrays: x in float32 N; out out float32 N
// N: 32
__constant__ float factor;
__global__ void k(float* o) {
    factor = 2;  // finding: constant_write // twin: if (threadIdx.x < 0) return;
    o[threadIdx.x] = factor;
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, 32>>>(out); }
