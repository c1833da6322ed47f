// Ledger: one account a thread, which begins at its first entry.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void book(int entries, const uint8_t* first, const int64_t* amount, int64_t* balance, int64_t* worst, unsigned long long* overdrawn) {
    const int begin = blockIdx.x * blockDim.x + threadIdx.x;
    if (begin >= entries || (begin && !first[begin])) return;
    long long sum = 0, least = 0;
    int below = 0;
    for (int i = begin; i < entries && (i == begin || !first[i]); ++i) {
        sum += amount[i];
        least = min(least, sum);
        balance[i] = sum;
        worst[i] = least;
        below += sum < 0;
    }
    if (below) atomicAdd(overdrawn, (unsigned long long)below);
}

extern "C" void ledger_runs(int entries, const uint8_t* first, const int64_t* amount, int64_t* balance, int64_t* worst, int64_t* overdrawn) {
    cudaMemsetAsync(overdrawn, 0, sizeof(int64_t));
    book<<<(entries + 255) / 256, 256>>>(entries, first, amount, balance, worst, reinterpret_cast<unsigned long long*>(overdrawn));
}
