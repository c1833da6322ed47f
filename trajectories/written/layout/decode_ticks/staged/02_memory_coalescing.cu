// Trade records to columns: a block stages the bytes of its records in shared memory with coalesced word loads.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRecord = 18;  // bytes
constexpr int kThreads = 256;

__device__ uint64_t big_endian(const unsigned char* at, int bytes) {
    uint64_t value = 0;
    for (int b = 0; b < bytes; ++b) value = value << 8 | at[b];
    return value;
}

__global__ void decode(int n, bool aligned, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                       int32_t* price, int32_t* quantity, unsigned char* venue) {
    __shared__ __align__(16) unsigned char staged[kThreads * kRecord];
    const int first = blockIdx.x * kThreads;
    const int bytes = min(kThreads, n - first) * kRecord;
    const unsigned char* source = records + (size_t)first * kRecord;
    int done = 0;
    if (aligned) {  // 256 * 18 is a multiple of 4, so every block starts at a word
        const unsigned int* words = reinterpret_cast<const unsigned int*>(source);
        for (int w = threadIdx.x; w < bytes / 4; w += kThreads) reinterpret_cast<unsigned int*>(staged)[w] = words[w];
        done = bytes / 4 * 4;
    }
    for (int b = done + threadIdx.x; b < bytes; b += kThreads) staged[b] = source[b];
    __syncthreads();

    int i = first + threadIdx.x;
    if (i >= n) return;
    const unsigned char* record = staged + threadIdx.x * kRecord;
    time_ns[i] = (long long)big_endian(record, 6);
    instrument[i] = (uint32_t)big_endian(record + 6, 4);
    price[i] = (int32_t)(uint32_t)big_endian(record + 10, 4);
    int size = (int)big_endian(record + 14, 3);
    unsigned char flags = record[17];
    quantity[i] = flags & 0x80 ? -size : size;
    venue[i] = flags & 0x7F;
}

extern "C" void decode_ticks(int n, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                             int32_t* price, int32_t* quantity, unsigned char* venue) {
    bool aligned = reinterpret_cast<uintptr_t>(records) % 4 == 0;
    decode<<<(n - 1) / kThreads + 1, kThreads>>>(n, aligned, records, time_ns, instrument, price, quantity, venue);
}
