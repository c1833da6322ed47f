// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void neighbours(const float* x, float* out) {
    __shared__ float part[64];
    const int i = threadIdx.x;
    part[i] = x[i];  // other access
    const float sum = __shfl_xor_sync(0xffffffffu, x[i], 1);
    // twin: __syncwarp();
    out[i] = part[i ^ 1] - sum;  // finding: race_shared_wr race_shared_rw uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { neighbours<<<1, n>>>(x, out); }
