// Records to columns: a block brings its records to shared memory by neighbouring 16-byte loads; threads take them from there.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kRecord = 24;

// Copies `size` bytes, a multiple of 8, to shared memory, in pieces that the array's alignment allows.
__device__ void fetch(const uint8_t* from, int size, uint32_t* to) {
    if ((size_t)from % 16 == 0) {
        for (int k = threadIdx.x; k < size / 16; k += kThreads) ((uint4*)to)[k] = ((const uint4*)from)[k];
        for (int k = size / 16 * 4 + threadIdx.x; k < size / 4; k += kThreads) to[k] = ((const uint32_t*)from)[k];
    } else {
        for (int k = threadIdx.x; k < size; k += kThreads) ((uint8_t*)to)[k] = from[k];
    }
}

// 0xff bytes of the comparison mark the letters a-z; a capital lies 0x20 below.
__device__ uint32_t upper(uint32_t letters) {
    return letters - (__vcmpgeu4(letters, 0x61616161) & __vcmpleu4(letters, 0x7a7a7a7a) & 0x20202020);
}

__global__ void split(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word, uint32_t* valid) {
    const int i = blockIdx.x * kThreads + threadIdx.x, words = (n - 1) / 32 + 1;
    __shared__ __align__(16) uint32_t page[kThreads * kRecord / 4];
    const int here = min(kThreads, n - (int)blockIdx.x * kThreads);
    fetch(record + (size_t)blockIdx.x * kThreads * kRecord, here * kRecord, page);
    __syncthreads();
    uint32_t part[kRecord / 4];
#pragma unroll
    for (int p = 0; p < kRecord / 4; p += 2) {
        const uint2 pair = *(const uint2*)&page[min((int)threadIdx.x, here - 1) * (kRecord / 4) + p];
        part[p] = pair.x;
        part[p + 1] = pair.y;
    }
    const uint32_t missing = part[5];
    for (int f = 0; f < 4; ++f) {
        const uint32_t there = __ballot_sync(~0u, i < n && !(missing >> f & 1));
        if (i % 32 == f && i - f < n) valid[f * words + i / 32] = there;
    }
    if (i >= n) return;
    key[i] = missing & 1 ? 0 : (int64_t)((uint64_t)part[1] << 32 | part[0]);
    bits[i] = missing & 2 ? 0 : part[2];
    code[i] = missing & 4 ? 0 : part[3];
    word[i] = missing & 8 ? 0 : upper(part[4]);
}

extern "C" void records_to_columns(int n, const uint8_t* record, int64_t* key, uint32_t* bits, int32_t* code, uint32_t* word,
                                   uint32_t* valid) {
    split<<<(n - 1) / kThreads + 1, kThreads>>>(n, record, key, bits, code, word, valid);
}
