// arrays: x in float32 N; out out float32 N
// N: 64
__global__ void k(float* o) {
    __shared__ float s[64];
    if (threadIdx.x < 32) {
        s[threadIdx.x] = 1;
        __syncthreads();  // finding: barrier_divergence
    } else {
        s[threadIdx.x] = 2;
        __syncthreads();
    }
    o[threadIdx.x] = s[63 - threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { k<<<1, 64>>>(out); }
