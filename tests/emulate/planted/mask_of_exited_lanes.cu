// arrays: x in float32 N; out out float32 N
// N: 32
// Allowed since compute capability 7.0, but what the mask says is not what is there.
__global__ void sum(const float* x, float* out) {
    const int i = threadIdx.x;
    out[i] = x[i];
    if (i >= 16) return;
    out[i] += __shfl_xor_sync(0xffffffff, x[i], 1);  // finding: warp_mask_exited_lane // twin: out[i] += __shfl_xor_sync(0x0000ffff, x[i], 1);
}
extern "C" void run(int n, const float* x, float* out) { sum<<<1, n>>>(x, out); }
