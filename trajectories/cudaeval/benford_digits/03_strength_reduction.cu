// First digits: digits are cut off by powers of ten that halve the length, with no loop.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int first_digit(unsigned long long rest) {
    if (rest >= 10000000000000000ull) rest /= 10000000000000000ull;
    if (rest >= 100000000ull) rest /= 100000000ull;
    unsigned low = (unsigned)rest;
    if (low >= 10000u) low /= 10000u;
    if (low >= 100u) low /= 100u;
    return low >= 10u ? low / 10u : low;
}

__global__ void count(int entries, int ledgers, const int32_t* __restrict__ ledger, const int64_t* __restrict__ amount, int* counts) {
    __shared__ int own[64 * 9];
    for (int k = threadIdx.x; k < 9 * ledgers; k += 256) own[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 4096 + threadIdx.x, end = min(entries, (int)(blockIdx.x + 1) * 4096); i < end; i += 256) {
        const long long value = amount[i];
        const int digit = first_digit(value < 0 ? 0 - (unsigned long long)value : value);
        if (digit) atomicAdd(&own[9 * ledger[i] + digit - 1], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 9 * ledgers; k += 256)
        if (own[k]) atomicAdd(&counts[k], own[k]);
}

extern "C" void benford_digits(int entries, int ledgers, const int32_t* ledger, const int64_t* amount, int32_t* counts) {
    cudaMemsetAsync(counts, 0, 36ull * ledgers);
    count<<<(entries + 4095) / 4096, 256>>>(entries, ledgers, ledger, amount, counts);
}
