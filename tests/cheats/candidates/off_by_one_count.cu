// task: count
// row: fault
// expect: WRONG_VALUE
// level: screen
// One count too many in one bin.
__global__ void count_kernel(int n, const int* keys, int* counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&counts[keys[i]], 1);
    if (i == 0) atomicAdd(&counts[0], 1);
}

extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    count_kernel<<<(n + 255) / 256, 256>>>(n, keys, counts);
}
