// arrays: x in int32 N; out out int32 N
// N: 64
__global__ void rotate(const int* in, int* out) {
    __shared__ int buf[64];
    const int me = threadIdx.x;
    buf[me] = in[me];  // finding: race_shared_rw
    out[me] = buf[(me + 33) % 64];  // finding: uninit_read_shared race_shared_wr
}
extern "C" void run(int n, const int* x, int* out) { rotate<<<1, n>>>(x, out); }
