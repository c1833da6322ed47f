// arrays: x in float32 N; out out float32 1
// N: 256
__global__ void total(const float* x, float* out) {
    __shared__ float part[256];
    part[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half) {
            part[threadIdx.x] += part[threadIdx.x + half];
            __syncthreads();  // finding: barrier_skipped // twin: } __syncthreads(); {
        }
    }
    if (threadIdx.x == 0) *out = part[0];
}
extern "C" void run(int n, const float* x, float* out) { total<<<1, n>>>(x, out); }
