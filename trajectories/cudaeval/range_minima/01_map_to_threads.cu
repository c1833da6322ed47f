// Stretches: one query a thread walks its stretch.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void ask(int queries, int limit, const int* series, const int* from, const int* to, int* lowest, int* value, int* short_ones) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= queries) return;
    const int low = min(from[q], to[q]), high = max(from[q], to[q]);
    int best = low;
    for (int i = low + 1; i <= high; ++i)
        if (series[i] < series[best]) best = i;
    lowest[q] = best;
    value[q] = series[best];
    if (high - low <= limit) atomicAdd(short_ones, 1);
}

extern "C" void range_minima(int n, int queries, int32_t limit, const int32_t* series, const int32_t* from, const int32_t* to, int32_t* lowest, int32_t* value, int32_t* short_ones) {
    cudaMemsetAsync(short_ones, 0, sizeof(int32_t));
    ask<<<(queries + 127) / 128, 128>>>(queries, limit, series, from, to, lowest, value, short_ones);
}
