// arrays: x in int32 N; out out int32 N
// N: 64
// 4100 barriers: a store and a load exactly 2048 barriers apart are ordered.
__global__ void rotate(const int* in, int* out, int n) {
    __shared__ int ring[64];
    const int me = threadIdx.x;
    ring[me] = in[me];
    for (int k = 0; k < 2050; k++) {
        __syncthreads();
        const int next = ring[(me + 1) % n];
        __syncthreads();
        if (k % 1024 == 0) ring[me] = next;
    }
    __syncthreads();
    out[me] = ring[me];
}
extern "C" void run(int n, const int* x, int* out) { rotate<<<1, n>>>(x, out, n); }
