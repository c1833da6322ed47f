// Stretches: a table has the lowest positions of all stretches of lengths 2^k; every stretch is two of them.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int lower(const int* series, int a, int b) { return series[b] < series[a] ? b : a; }

__global__ void first_level(int n, int* table) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) table[i] = i;
}

__global__ void level(int n, int half, const int* series, const int* before, int* table) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) table[i] = i + half < n ? lower(series, before[i], before[i + half]) : before[i];
}

__global__ void ask(int n, int queries, int limit, const int* __restrict__ series, const int* __restrict__ table, const int* __restrict__ from,
                    const int* __restrict__ to, int* lowest, int* value, int* short_ones) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    bool little = false;
    if (q < queries) {
        const int low = min(from[q], to[q]), high = max(from[q], to[q]), k = 31 - __clz(high - low + 1);
        const int best = lower(series, table[(size_t)k * n + low], table[(size_t)k * n + high + 1 - (1 << k)]);
        lowest[q] = best;
        value[q] = series[best];
        little = high - low <= limit;
    }
    const unsigned votes = __ballot_sync(0xffffffffu, little);
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(short_ones, __popc(votes));
}

extern "C" void range_minima(int n, int queries, int32_t limit, const int32_t* series, const int32_t* from, const int32_t* to, int32_t* lowest, int32_t* value, int32_t* short_ones) {
    int levels = 1;
    while (1 << levels <= n) ++levels;
    int* table = nullptr;
    cudaMallocAsync(&table, sizeof(int) * (size_t)levels * n, 0);
    cudaMemsetAsync(short_ones, 0, sizeof(int32_t));
    first_level<<<(n + 255) / 256, 256>>>(n, table);
    for (int k = 1; k < levels; ++k) level<<<(n + 255) / 256, 256>>>(n, 1 << (k - 1), series, table + (size_t)(k - 1) * n, table + (size_t)k * n);
    ask<<<(queries + 255) / 256, 256>>>(n, queries, limit, series, table, from, to, lowest, value, short_ones);
    cudaFreeAsync(table, 0);
}
