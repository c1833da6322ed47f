// arrays: x in float32 N; out out float32 N
// N: 32

// Each half synchronises with itself, and then reads what the other half has written.
__global__ void exchange(const float* x, float* out) {
    __shared__ float part[32];
    const int i = threadIdx.x;
    part[i] = x[i];  // finding: race_shared_rw
    __syncwarp(i < 16 ? 0x0000ffff : 0xffff0000);  // twin: __syncwarp();
    out[i] = part[31 - i];  // finding: race_shared_wr uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { exchange<<<1, n>>>(x, out); }
