// Trade records to columns: a thread takes four records as eighteen 32-bit words in registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRecord = 18;                  // bytes
constexpr int kGroup = 4;                    // records per thread: 72 bytes are whole words
constexpr int kWords = kGroup * kRecord / 4;

__device__ uint64_t big_endian(const unsigned char* at, int bytes) {
    uint64_t value = 0;
    for (int b = 0; b < bytes; ++b) value = value << 8 | at[b];
    return value;
}

// Byte b of the words; b is known at compile time where this is called.
__device__ unsigned int byte_of(const unsigned int (&word)[kWords], int b) { return word[b / 4] >> 8 * (b % 4) & 0xFF; }

__device__ unsigned int four_bytes(const unsigned int (&word)[kWords], int b) {
    return byte_of(word, b) << 24 | byte_of(word, b + 1) << 16 | byte_of(word, b + 2) << 8 | byte_of(word, b + 3);
}

__global__ void decode(int n, bool aligned, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                       int32_t* price, int32_t* quantity, unsigned char* venue) {
    int first = (blockIdx.x * blockDim.x + threadIdx.x) * kGroup;
    if (aligned && first + kGroup <= n) {
        const unsigned int* source = reinterpret_cast<const unsigned int*>(records + (size_t)kRecord * first);
        unsigned int word[kWords];
#pragma unroll
        for (int w = 0; w < kWords; ++w) word[w] = source[w];
#pragma unroll
        for (int r = 0; r < kGroup; ++r) {
            const int b = r * kRecord, i = first + r;
            uint64_t high = four_bytes(word, b);
            time_ns[i] = (long long)(high << 16 | byte_of(word, b + 4) << 8 | byte_of(word, b + 5));
            instrument[i] = four_bytes(word, b + 6);
            price[i] = (int32_t)four_bytes(word, b + 10);
            unsigned int tail = four_bytes(word, b + 14);  // size and flags
            int size = (int)(tail >> 8);
            quantity[i] = tail & 0x80 ? -size : size;
            venue[i] = tail & 0x7F;
        }
        return;
    }
    for (int i = first; i < min(first + kGroup, n); ++i) {
        const unsigned char* record = records + (size_t)kRecord * i;
        time_ns[i] = (long long)big_endian(record, 6);
        instrument[i] = (uint32_t)big_endian(record + 6, 4);
        price[i] = (int32_t)(uint32_t)big_endian(record + 10, 4);
        int size = (int)big_endian(record + 14, 3);
        quantity[i] = record[17] & 0x80 ? -size : size;
        venue[i] = record[17] & 0x7F;
    }
}

extern "C" void decode_ticks(int n, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                             int32_t* price, int32_t* quantity, unsigned char* venue) {
    const int threads = 256;
    bool aligned = reinterpret_cast<uintptr_t>(records) % 4 == 0;
    int groups = (n - 1) / kGroup + 1;
    decode<<<(groups - 1) / threads + 1, threads>>>(n, aligned, records, time_ns, instrument, price, quantity, venue);
}
