// arrays: x in int32 N; out out int32 1
// N: 256
// twin warns: race_unverified_fence atomic_and_plain
// The writers fence after the barrier that the drawing of the ticket waits for: nothing is published in time.
__device__ unsigned tickets = 0;
__global__ void total(const int* x, int* partial, int* out) {
    __shared__ bool drew_last;
    const int me = threadIdx.x, i = blockIdx.x * 64 + me;
    __threadfence();
    partial[i] = x[i];  // other access // twin: partial[i] = x[i]; __threadfence();
    __syncthreads();
    if (me != 0) __threadfence();
    if (me == 0) drew_last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!drew_last || me != 0) return;
    int sum = 0;
    for (int k = 0; k < 256; k++) sum += partial[k];  // finding: race_global_wr
    *out = sum;
    tickets = 0;
}
extern "C" void run(int n, const int* x, int* out) {
    int* partial;
    cudaMalloc(&partial, n * sizeof(int));
    total<<<4, 64>>>(x, partial, out);
    cudaFree(partial);
}
