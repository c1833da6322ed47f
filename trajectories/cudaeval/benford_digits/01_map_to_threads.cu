// First digits: one entry a thread, atomics into the ledger's counts.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void count(int entries, const int32_t* ledger, const int64_t* amount, int* counts) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= entries) return;
    long long rest = amount[i] < 0 ? -amount[i] : amount[i];
    while (rest >= 10) rest /= 10;
    if (rest) atomicAdd(&counts[9 * ledger[i] + rest - 1], 1);
}

extern "C" void benford_digits(int entries, int ledgers, const int32_t* ledger, const int64_t* amount, int32_t* counts) {
    cudaMemsetAsync(counts, 0, 36ull * ledgers);
    count<<<(entries + 255) / 256, 256>>>(entries, ledger, amount, counts);
}
