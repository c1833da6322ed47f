// arrays: x in uint32 N; out out int32 64
// N: 512
// A generator of its own for each thread; a histogram in shared memory.
__device__ unsigned next(unsigned& state) {
    state ^= state << 13;
    state ^= state >> 17;
    return state ^= state << 5;
}
__global__ void walk(const unsigned* x, int* out, int n) {
    __shared__ int bins[64];
    for (int k = threadIdx.x; k < 64; k += blockDim.x) bins[k] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        unsigned state = x[i] * 747796405u + 2891336453u;
        int place = 32;
        for (int step = 0; step < 20; step++) place += next(state) & 1 ? 1 : -1;
        atomicAdd(&bins[place & 63], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 64; k += blockDim.x)
        if (bins[k]) atomicAdd(&out[k], bins[k]);
}
extern "C" void run(int n, const unsigned* x, int* out) {
    cudaMemset(out, 0, 64 * sizeof(int));
    walk<<<(n + 127) / 128, 128>>>(x, out, n);
}
