// Bitonic sort, one launch per pass, one thread per pair of partners; no data-dependent branch.
#include <cuda_runtime.h>

#include <climits>

constexpr int kThreads = 256;

// Copies the keys and pads with the largest integer, which sorts behind every key.
__global__ void pad(int n, int padded, const int* keys, int* buffer) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i < padded) buffer[i] = i < n ? keys[i] : INT_MAX;
}

// The lower index of pair p at a distance that is a power of two: a zero bit is inserted into p.
__device__ int lower_of_pair(int pair, int distance) { return 2 * pair - (pair & (distance - 1)); }

__device__ void order(int& low, int& high, bool ascending) {
    int smaller = min(low, high), larger = max(low, high);
    low = ascending ? smaller : larger;
    high = ascending ? larger : smaller;
}

__global__ void compare_pass(int pairs, int run, int distance, int* buffer) {
    int pair = blockIdx.x * kThreads + threadIdx.x;
    if (pair >= pairs) return;
    int i = lower_of_pair(pair, distance);
    int low = buffer[i], high = buffer[i + distance];
    order(low, high, (i & run) == 0);
    buffer[i] = low;
    buffer[i + distance] = high;
}

extern "C" void sort_keys(int n, int* keys) {
    int padded = 2;
    while (padded < n) padded *= 2;
    int* buffer = nullptr;
    cudaMalloc(&buffer, padded * sizeof(int));
    pad<<<(padded - 1) / kThreads + 1, kThreads>>>(n, padded, keys, buffer);
    const int pairs = padded / 2;
    for (int run = 2; run <= padded; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2)
            compare_pass<<<(pairs - 1) / kThreads + 1, kThreads>>>(pairs, run, distance, buffer);
    cudaMemcpyAsync(keys, buffer, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(buffer);
}
