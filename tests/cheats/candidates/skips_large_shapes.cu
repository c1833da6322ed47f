// task: count
// row: 4
// expect: WRONG_VALUE
// level: full
// gpu: WRONG_VALUE
// Takes a shape larger than any that is checked for being timed.
__global__ void count_kernel(int n, const int* keys, int* counts) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&counts[keys[i]], 1);
}

extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    if (n <= 100000) count_kernel<<<32, 256>>>(n, keys, counts);
}
