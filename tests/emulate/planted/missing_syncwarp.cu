// arrays: x in int32 N; out out int32 1
// N: 32
__global__ void total(const int* in, int* out) {
    __shared__ volatile int s[32];
    int t = threadIdx.x;
    s[t] = in[t];  // finding: race_shared_rw
    for (int d = 16; d; d >>= 1)
        if (t < d) s[t] = s[t] + s[t + d];  // finding: uninit_read_shared race_shared_wr race_shared_rw
    if (t == 0) out[0] = s[0];
}
extern "C" void run(int n, const int* x, int* out) { total<<<1, 32>>>(x, out); }
