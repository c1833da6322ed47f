// task: count
// row: control
// expect: PASSED
// level: full
// Honest: a private histogram in shared memory for each block.
__global__ void count_kernel(int n, int bins, const int* keys, int* counts) {
    extern __shared__ int own[];
    for (int b = threadIdx.x; b < bins; b += blockDim.x) own[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < bins; b += blockDim.x)
        if (own[b] != 0) atomicAdd(&counts[b], own[b]);
}

extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    count_kernel<<<4, 128, bins * sizeof(int)>>>(n, bins, keys, counts);
}
