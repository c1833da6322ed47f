// arrays: x in float32 N; out out float32 N
// N: 64
__global__ void same(const float* x, float* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (x[threadIdx.x] > -1) found = 1;  // finding: write_same_value // twin: if (threadIdx.x == 0) found = 1;
    __syncthreads();
    out[threadIdx.x] = x[threadIdx.x] + found;
}
extern "C" void run(int n, const float* x, float* out) { same<<<1, n>>>(x, out); }
