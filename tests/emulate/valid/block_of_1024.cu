// arrays: x in float64 N; out out float64 1
// N: 5000
// The largest block, all warps; doubles.
__global__ void dot(const double* x, double* out, int n) {
    __shared__ double sums[32];
    double v = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) v = fma(x[i], x[i], v);
    for (int d = 16; d; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = v;
    __syncthreads();
    if (threadIdx.x < 32) {
        v = sums[threadIdx.x];
        for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
        if (threadIdx.x == 0) *out = v;
    }
}
extern "C" void run(int n, const double* x, double* out) { dot<<<1, 1024>>>(x, out, n); }
