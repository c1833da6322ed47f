// Trade records to columns, one thread per record, byte by byte.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRecord = 18;  // bytes

__device__ uint64_t big_endian(const unsigned char* at, int bytes) {
    uint64_t value = 0;
    for (int b = 0; b < bytes; ++b) value = value << 8 | at[b];
    return value;
}

__global__ void decode(int n, const unsigned char* records, long long* time_ns, uint32_t* instrument, int32_t* price,
                       int32_t* quantity, unsigned char* venue) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const unsigned char* record = records + (size_t)kRecord * i;
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
    const int threads = 256;
    decode<<<(n - 1) / threads + 1, threads>>>(n, records, time_ns, instrument, price, quantity, venue);
}
