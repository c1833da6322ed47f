// Bitonic sort; tiles sorted in shared memory, wide passes done two at a time on four keys in registers.
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

// The passes at `distance` and distance / 2 in one go: they mix four keys, half a distance apart.
__global__ void compare_two_passes(int quads, int run, int distance, int* buffer) {
    int quad = blockIdx.x * kThreads + threadIdx.x;
    if (quad >= quads) return;
    const int gap = distance / 2;
    int i = lower_of_pair(lower_of_pair(quad, gap), distance);  // two zero bits inserted
    bool ascending = (i & run) == 0;                             // the same for all four, since distance < run
    int key[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) key[k] = buffer[i + k * gap];
    order(key[0], key[2], ascending);
    order(key[1], key[3], ascending);
    order(key[0], key[1], ascending);
    order(key[2], key[3], ascending);
#pragma unroll
    for (int k = 0; k < 4; ++k) buffer[i + k * gap] = key[k];
}

// The passes of runs first_run .. last_run whose distance is below kTile: their partners share an aligned tile.
__device__ void run_passes(int first_run, int last_run, int* buffer) {
    __shared__ int tile[kTile];
    const int base = blockIdx.x * kTile;
    const int t = threadIdx.x;
    tile[t] = buffer[base + t];
    tile[t + kTileThreads] = buffer[base + t + kTileThreads];
    for (int run = first_run; run <= last_run; run *= 2) {
        for (int distance = min(run, kTile) / 2; distance > 0; distance /= 2) {
            __syncthreads();
            int i = lower_of_pair(t, distance);
            order(tile[i], tile[i + distance], ((base + i) & run) == 0);
        }
    }
    __syncthreads();
    buffer[base + t] = tile[t];
    buffer[base + t + kTileThreads] = tile[t + kTileThreads];
}

__global__ void sort_tiles(int* buffer) { run_passes(2, kTile, buffer); }

__global__ void merge_tiles(int run, int* buffer) { run_passes(run, run, buffer); }

extern "C" void sort_keys(int n, int* keys) {
    int padded = kTile;
    while (padded < n) padded *= 2;
    int* buffer = nullptr;
    cudaMalloc(&buffer, padded * sizeof(int));
    pad<<<(padded - 1) / kThreads + 1, kThreads>>>(n, padded, keys, buffer);
    const int pairs = padded / 2;
    sort_tiles<<<padded / kTile, kTileThreads>>>(buffer);
    for (int run = 2 * kTile; run <= padded; run *= 2) {
        int distance = run / 2;
        for (; distance >= 2 * kTile; distance /= 4)
            compare_two_passes<<<pairs / 2 / kThreads, kThreads>>>(pairs / 2, run, distance, buffer);
        if (distance >= kTile) compare_pass<<<pairs / kThreads, kThreads>>>(pairs, run, distance, buffer);
        merge_tiles<<<padded / kTile, kTileThreads>>>(run, buffer);
    }
    cudaMemcpyAsync(keys, buffer, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaFree(buffer);
}
