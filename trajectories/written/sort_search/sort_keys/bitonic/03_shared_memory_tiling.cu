// Bitonic sort; the passes of a run that stay inside a tile of 2048 keys are done together in shared memory.
#include <cuda_runtime.h>

#include <climits>

constexpr int kThreads = 256;
constexpr int kTile = 2048;
constexpr int kTileThreads = kTile / 2;  // one thread per pair

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

// All passes of one run whose distance is below kTile: their partners share an aligned tile.
__global__ void merge_tiles(int run, int* buffer) {
    __shared__ int tile[kTile];
    const int base = blockIdx.x * kTile;
    const int t = threadIdx.x;
    tile[t] = buffer[base + t];
    tile[t + kTileThreads] = buffer[base + t + kTileThreads];
    for (int distance = min(run, kTile) / 2; distance > 0; distance /= 2) {
        __syncthreads();
        int i = lower_of_pair(t, distance);
        order(tile[i], tile[i + distance], ((base + i) & run) == 0);
    }
    __syncthreads();
    buffer[base + t] = tile[t];
    buffer[base + t + kTileThreads] = tile[t + kTileThreads];
}

extern "C" void sort_keys(int n, int* keys) {
    int padded = kTile;
    while (padded < n) padded *= 2;
    int* buffer = nullptr;
    cudaMalloc(&buffer, padded * sizeof(int));
    pad<<<(padded - 1) / kThreads + 1, kThreads>>>(n, padded, keys, buffer);
    const int pairs = padded / 2;
    for (int run = 2; run <= padded; run *= 2) {
        for (int distance = run / 2; distance >= kTile; distance /= 2)
            compare_pass<<<pairs / kThreads, kThreads>>>(pairs, run, distance, buffer);
        merge_tiles<<<padded / kTile, kTileThreads>>>(run, buffer);
    }
    cudaMemcpyAsync(keys, buffer, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(buffer);
}
