// arrays: x in int32 N; out out int32 8
// N: 300
// Blocks of 1, 2, 31, 32, 33, 63, 97 and 300 threads; partial warps vote and shuffle among those that are there.
__global__ void count(const int* x, int* out) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    int first = threadIdx.x / 32 * 32, lanes = min(32, (int)blockDim.x - first);
    unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
    unsigned large = __ballot_sync(mask, x[threadIdx.x] > 30);
    int neighbour = __shfl_sync(mask, x[threadIdx.x], (threadIdx.x % 32 + 1) % lanes);
    if (threadIdx.x % 32 == 0) atomicAdd(&total, __popc(large));
    atomicAdd(&total, neighbour);
    if (__syncthreads_or(threadIdx.x == blockDim.x - 1)) {
        if (threadIdx.x == 0) *out = total;
    }
}
extern "C" void run(int n, const int* x, int* out) {
    int sizes[8] = {1, 2, 31, 32, 33, 63, 97, 300};
    for (int k = 0; k < 8; k++) count<<<1, sizes[k]>>>(x, out + k);
}
