// Bitonic sort, one launch per pass, one thread per element.
#include <cuda_runtime.h>

#include <climits>

constexpr int kThreads = 256;

// Copies the keys and pads with the largest integer, which sorts behind every key.
__global__ void pad(int n, int padded, const int* keys, int* buffer) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < padded) buffer[i] = i < n ? keys[i] : INT_MAX;
}

__global__ void compare_pass(int padded, int run, int distance, int* buffer) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    int partner = i ^ distance;
    if (i >= padded || partner < i) return;  // the lower partner does the work
    bool ascending = (i & run) == 0;
    int low = buffer[i], high = buffer[partner];
    if ((low > high) == ascending) {
        buffer[i] = high;
        buffer[partner] = low;
    }
}

extern "C" void sort_keys(int n, int* keys) {
    int padded = 1;
    while (padded < n) padded *= 2;
    const int blocks = (padded - 1) / kThreads + 1;
    int* buffer = nullptr;
    cudaMalloc(&buffer, padded * sizeof(int));
    pad<<<blocks, kThreads>>>(n, padded, keys, buffer);
    for (int run = 2; run <= padded; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2)
            compare_pass<<<blocks, kThreads>>>(padded, run, distance, buffer);
    cudaMemcpyAsync(keys, buffer, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(buffer);
}
