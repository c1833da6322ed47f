// First digits: a block counts 4096 entries in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int entries, int ledgers, const int32_t* ledger, const int64_t* amount, int* counts) {
    __shared__ int own[64 * 9];
    for (int k = threadIdx.x; k < 9 * ledgers; k += 256) own[k] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 4096 + threadIdx.x, end = min(entries, (int)(blockIdx.x + 1) * 4096); i < end; i += 256) {
        long long rest = amount[i] < 0 ? -amount[i] : amount[i];
        while (rest >= 10) rest /= 10;
        if (rest) atomicAdd(&own[9 * ledger[i] + rest - 1], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < 9 * ledgers; k += 256)
        if (own[k]) atomicAdd(&counts[k], own[k]);
}

extern "C" void benford_digits(int entries, int ledgers, const int32_t* ledger, const int64_t* amount, int32_t* counts) {
    cudaMemsetAsync(counts, 0, 36ull * ledgers);
    count<<<(entries + 4095) / 4096, 256>>>(entries, ledgers, ledger, amount, counts);
}
