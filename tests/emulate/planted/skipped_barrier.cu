// arrays: x in float32 N; out out float32 N
// N: 128

__global__ void halves(const float* x, float* out) {
    __shared__ float part[128];
    const int i = threadIdx.x;
    part[i] = x[i];
    if (i < 64) __syncthreads();  // finding: barrier_divergence // twin: __syncthreads();
    part[i] += 1;  // finding: race_shared_rw
    __syncthreads();  // finding: barrier_skipped
    out[i] = part[127 - i];  // finding: race_shared_wr
}
extern "C" void run(int n, const float* x, float* out) { halves<<<1, n>>>(x, out); }
