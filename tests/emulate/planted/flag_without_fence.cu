// arrays: x in float32 N; out out float32 1
// N: 2048
// twin warns: race_unverified_fence
// The last block adds up the others' results, but nothing makes these visible before the ticket.
__device__ unsigned tickets;
__device__ float partial[16];
__global__ void total(const float* x, int n, float* out) {
    __shared__ bool last;
    float mine = 0;
    for (int i = blockIdx.x; i < n; i += gridDim.x) mine += x[i];
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = mine;  // other access // twin: partial[blockIdx.x] = mine; __threadfence();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0) return;
    float all = 0;
    for (int b = 0; b < gridDim.x; b++) all += partial[b];  // finding: race_global_wr
    *out = all;
}
extern "C" void run(int n, const float* x, float* out) {
    const unsigned none = 0;
    cudaMemcpyToSymbol(tickets, &none, sizeof none);
    total<<<16, 32>>>(x, n, out);
}
