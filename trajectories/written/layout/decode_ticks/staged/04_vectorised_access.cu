// Trade records to columns: bytes staged by 128-bit loads, nine 16-bit shared loads and byte permutation per record.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRecord = 18;  // bytes
constexpr int kThreads = 256;

// The four bytes of two halves in memory order, as a big-endian number.
__device__ unsigned int swapped(unsigned int low_half, unsigned int high_half) {
    return __byte_perm(low_half, high_half, 0x0145);
}

__global__ void decode(int n, bool aligned, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                       int32_t* price, int32_t* quantity, unsigned char* venue) {
    __shared__ __align__(16) unsigned char staged[kThreads * kRecord];
    const int first = blockIdx.x * kThreads;
    const int bytes = min(kThreads, n - first) * kRecord;
    const unsigned char* source = records + (size_t)first * kRecord;
    int done = 0;
    if (aligned) {  // 256 * 18 is a multiple of 16, so every block starts at a vector
        const uint4* vectors = reinterpret_cast<const uint4*>(source);
        for (int v = threadIdx.x; v < bytes / 16; v += kThreads) reinterpret_cast<uint4*>(staged)[v] = vectors[v];
        done = bytes / 16 * 16;
    }
    for (int b = done + threadIdx.x; b < bytes; b += kThreads) staged[b] = source[b];
    __syncthreads();

    int i = first + threadIdx.x;
    if (i >= n) return;
    const unsigned short* record = reinterpret_cast<const unsigned short*>(staged + threadIdx.x * kRecord);
    unsigned int half[kRecord / 2];
#pragma unroll
    for (int h = 0; h < kRecord / 2; ++h) half[h] = record[h];
    time_ns[i] = (long long)((uint64_t)swapped(half[0], half[1]) << 16 | (half[2] & 0xFF) << 8 | half[2] >> 8);
    instrument[i] = swapped(half[3], half[4]);
    price[i] = (int32_t)swapped(half[5], half[6]);
    unsigned int tail = swapped(half[7], half[8]);  // size and flags
    int size = (int)(tail >> 8);
    quantity[i] = tail & 0x80 ? -size : size;
    venue[i] = tail & 0x7F;
}

extern "C" void decode_ticks(int n, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                             int32_t* price, int32_t* quantity, unsigned char* venue) {
    bool aligned = reinterpret_cast<uintptr_t>(records) % 16 == 0;
    decode<<<(n - 1) / kThreads + 1, kThreads>>>(n, aligned, records, time_ns, instrument, price, quantity, venue);
}
