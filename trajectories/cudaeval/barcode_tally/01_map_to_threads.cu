// Barcode tally: one scan a thread claims a slot of a table in three arrays; one query a thread walks it.
#include <cuda_runtime.h>

#include <cstdint>

typedef unsigned long long Key;

constexpr Key kFree = 0x8000000000000000ull;  // no code of the tally: it is looked for apart

__device__ unsigned home_of(Key code, unsigned mask) { return (unsigned)((code * 0x9e3779b97f4a7c15ull) >> 32) & mask; }

__global__ void clear(unsigned size, Key* key, int* times, int* first) {
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= size) return;
    key[i] = kFree;
    times[i] = 0;
    first[i] = 0x7fffffff;
}

// The slot at `size` is that of the one code that marks free slots.
__global__ void insert(int scans, unsigned mask, const int64_t* scanned, Key* key, int* times, int* first) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= scans) return;
    const Key code = (Key)scanned[i];
    unsigned at = mask + 1;
    if (code != kFree) {
        at = home_of(code, mask);
        for (;;) {
            const Key before = atomicCAS(&key[at], kFree, code);
            if (before == kFree || before == code) break;
            at = (at + 1) & mask;
        }
    }
    atomicAdd(&times[at], 1);
    atomicMin(&first[at], i);
}

__global__ void look_up(int asks, unsigned mask, const int64_t* ask, const Key* key, const int* times, const int* first, int32_t* found,
                        int32_t* where) {
    const int q = blockIdx.x * blockDim.x + threadIdx.x;
    if (q >= asks) return;
    const Key code = (Key)ask[q];
    unsigned at = mask + 1;
    if (code != kFree) {
        at = home_of(code, mask);
        while (key[at] != kFree && key[at] != code) at = (at + 1) & mask;
    }
    found[q] = times[at];
    where[q] = times[at] ? first[at] : -1;
}

extern "C" void barcode_tally(int scans, int asks, const int64_t* scanned, const int64_t* ask, int32_t* found, int32_t* where) {
    unsigned size = 2;
    while (size < 2u * (unsigned)scans) size *= 2;
    Key* key = nullptr;
    int *times = nullptr, *first = nullptr;
    cudaMallocAsync(&key, sizeof(Key) * (size + 1), 0);
    cudaMallocAsync(&times, sizeof(int) * (size + 1), 0);
    cudaMallocAsync(&first, sizeof(int) * (size + 1), 0);
    clear<<<(size + 256) / 256, 256>>>(size + 1, key, times, first);
    insert<<<(scans + 255) / 256, 256>>>(scans, size - 1, scanned, key, times, first);
    look_up<<<(asks + 255) / 256, 256>>>(asks, size - 1, ask, key, times, first, found, where);
    cudaFreeAsync(key, 0);
    cudaFreeAsync(times, 0);
    cudaFreeAsync(first, 0);
}
