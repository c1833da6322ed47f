// arrays: x in float32 N; out out float32 N
// N: 64

__global__ void swap(const float* x, float* out) {
    __shared__ volatile float part[64];
    const int i = threadIdx.x;
    part[i] = x[i];  // finding: race_shared_rw // twin: part[i] = x[i]; __syncthreads();
    out[i] = part[63 - i];  // finding: race_shared_wr uninit_read_shared
}
extern "C" void run(int n, const float* x, float* out) { swap<<<1, n>>>(x, out); }
