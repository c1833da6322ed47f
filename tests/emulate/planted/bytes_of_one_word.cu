// arrays: x in uint8 N; out out uint8 N
// N: 256
__global__ void mirror(const unsigned char* x, unsigned char* out) {
    __shared__ unsigned char part[256];
    part[threadIdx.x] = x[threadIdx.x];  // finding: race_shared_rw
    out[threadIdx.x] = part[threadIdx.x ^ 1];  // finding: race_shared_wr uninit_read_shared // twin: __syncthreads(); out[threadIdx.x] = part[threadIdx.x ^ 1];
}
extern "C" void run(int n, const unsigned char* x, unsigned char* out) { mirror<<<1, n>>>(x, out); }
