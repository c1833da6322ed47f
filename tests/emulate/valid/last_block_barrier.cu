// arrays: x in float32 N; out out float32 65
// N: 9999
// The block that draws the last ticket adds up what all blocks left behind. Every thread fences what it wrote; after the barrier thread 0
// alone draws the ticket, for all of them.
__device__ unsigned tickets = 0;
__global__ void total(const float* in, int n, float* partial, float* out) {
    __shared__ bool drewLast;
    const int me = threadIdx.x;
    float mine = 0;
    for (int i = blockIdx.x * blockDim.x + me; i < n; i += gridDim.x * blockDim.x) mine += in[i];
    partial[blockIdx.x * 64 + me] = mine;
    __threadfence();
    __syncthreads();
    if (me == 0) drewLast = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!drewLast) return;
    float all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b * 64 + me];
    out[me] = all;
    if (me == 0) out[64] = partial[63], tickets = 0;
}
// The same, where one thread of each warp fences for its warp, and a thread that has not fenced draws the ticket.
__global__ void again(const float* first, float* partial, float* out) {
    __shared__ bool drewLast;
    const int me = threadIdx.x;
    partial[blockIdx.x * 64 + me] = first[me];
    __syncwarp();
    if (me % 32 == 1) __threadfence();
    __syncthreads();
    if (me == 40) drewLast = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!drewLast) return;
    __threadfence();
    float all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b * 64 + me];
    out[me] = all / gridDim.x;
    if (me == 0) tickets = 0;
}
extern "C" void run(int n, const float* x, float* out) {
    float *partial, *sums;
    cudaMalloc(&partial, 16 * 64 * sizeof(float));
    cudaMalloc(&sums, 65 * sizeof(float));
    total<<<16, 64>>>(x, n, partial, sums);
    cudaMemcpy(out + 64, sums + 64, sizeof(float), cudaMemcpyDeviceToDevice);
    again<<<4, 64>>>(sums, partial, out);
    cudaFree(partial);
    cudaFree(sums);
}
