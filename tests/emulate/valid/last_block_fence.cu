// arrays: x in float32 N; out out float32 1
// N: 9999
// The block that draws the last ticket adds up what all blocks left behind (fence before the ticket).
__device__ unsigned tickets = 0;
__global__ void total(const float* in, int n, volatile float* partial, float* out) {
    __shared__ float part[128];
    __shared__ bool drewLast;
    const int me = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + me; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    part[me] = mine;
    for (int half = 64; half > 0; half /= 2) {
        __syncthreads();
        if (me < half) part[me] += part[me + half];
    }
    if (me == 0) {
        partial[blockIdx.x] = part[0];
        __threadfence();
        drewLast = atomicInc(&tickets, gridDim.x) + 1 == gridDim.x;
    }
    __syncthreads();
    if (!drewLast || me != 0) return;
    float all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b];
    *out = all;
    tickets = 0;
}
extern "C" void run(int n, const float* x, float* out) {
    float* partial;
    cudaMalloc(&partial, 16 * sizeof(float));
    total<<<16, 128>>>(x, n, partial, out);
    cudaFree(partial);
}
