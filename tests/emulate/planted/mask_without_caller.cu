// arrays: x in float32 N; out out float32 N
// N: 32

__global__ void sum(const float* x, float* out) {
    float v = x[threadIdx.x];
    v += __shfl_xor_sync(0x0000ffff, v, 1);  // finding: warp_mask_excludes_caller shuffle_inactive_source // twin: v += __shfl_xor_sync(0xffffffff, v, 1);
    out[threadIdx.x] = v;
}
extern "C" void run(int n, const float* x, float* out) { sum<<<1, n>>>(x, out); }
