// arrays: x in float32 N; out out float32 N
// N: 256

template <int BYTES>
__global__ void reversed(const float* x, float* out, int n) {
    __shared__ float fixed[BYTES / 4];  // finding: launch_refused // twin: __shared__ float fixed[BYTES / 8];
    extern __shared__ float more[];
    fixed[threadIdx.x] = more[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = fixed[n - 1 - threadIdx.x] + 0 * more[n - 1 - threadIdx.x];
}
extern "C" void run(int n, const float* x, float* out) { reversed<48000><<<1, n, 4096>>>(x, out, n); }
