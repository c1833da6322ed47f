// task: count
// row: fault
// expect: RACE
// level: screen
// gpu: RACE WRONG_VALUE
// Counts without atomics.
__global__ void count_kernel(int n, const int* keys, int* counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) counts[keys[i]] = counts[keys[i]] + 1;
}

extern "C" void count(int n, int bins, const int* keys, int* counts) {
    cudaMemset(counts, 0, bins * sizeof(int));
    count_kernel<<<(n + 255) / 256, 256>>>(n, keys, counts);
}
