// arrays: x in float32 N; out out float32 N
// N: 32
__global__ void mixed(const float* x, float* out) {
    const int i = threadIdx.x;
    if (i == 0)
        __syncthreads();  // finding: barrier_deadlock // twin: __syncwarp();
    else
        __syncwarp();  // finding: warp_deadlock barrier_deadlock
    out[i] = x[i];
}
extern "C" void run(int n, const float* x, float* out) { mixed<<<1, n>>>(x, out); }
