// arrays: x in float32 N; out out float32 N
// N: 32

__global__ void masks(const float* x, float* out) {
    __shared__ float part[32];
    const int i = threadIdx.x;
    part[i] = x[i];
    if (i < 16)
        __syncwarp(0xffffffff);  // finding: warp_deadlock // twin: __syncwarp(0x0000ffff);
    else
        __syncwarp(0xfffffffe);  // finding: warp_deadlock // twin: __syncwarp(0xffff0000);
    out[i] = part[i];
}
extern "C" void run(int n, const float* x, float* out) { masks<<<1, n>>>(x, out); }
