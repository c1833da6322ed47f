// Stretches: a warp takes a query.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void ask(int queries, int limit, const int* series, const int* from, const int* to, int* lowest, int* value, int* short_ones) {
    const int q = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (q >= queries) return;
    const int low = min(from[q], to[q]), high = max(from[q], to[q]);
    long long best = 0x7fffffffffffffffll;  // value above, position below
    for (int i = low + lane; i <= high; i += 32) best = min(best, (long long)series[i] * 4294967296ll + i);
    for (int apart = 16; apart > 0; apart /= 2) best = min(best, __shfl_xor_sync(0xffffffffu, best, apart));
    if (lane) return;
    lowest[q] = (int)(best & 0xffffffff);
    value[q] = (int)(best >> 32);
    if (high - low <= limit) atomicAdd(short_ones, 1);
}

extern "C" void range_minima(int n, int queries, int32_t limit, const int32_t* series, const int32_t* from, const int32_t* to, int32_t* lowest, int32_t* value, int32_t* short_ones) {
    cudaMemsetAsync(short_ones, 0, sizeof(int32_t));
    ask<<<(queries + 3) / 4, 128>>>(queries, limit, series, from, to, lowest, value, short_ones);
}
