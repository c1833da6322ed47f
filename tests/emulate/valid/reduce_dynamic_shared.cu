// arrays: x in int32 N; out out int32 (N+511)//512
// N: 10000
__global__ void blockTotals(const int* in, int* out, int n) {
    extern __shared__ int part[];
    const int me = threadIdx.x, pair = 2 * (blockIdx.x * blockDim.x + me);
    part[me] = (pair < n ? in[pair] : 0) + (pair + 1 < n ? in[pair + 1] : 0);
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) part[me] += part[me + half];
    }
    if (me == 0) out[blockIdx.x] = part[0];
}
extern "C" void run(int n, const int* x, int* out) {
    blockTotals<<<(n + 511) / 512, 256, 256 * sizeof(int)>>>(x, out, n);
}
