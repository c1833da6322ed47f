// Trade records to columns: tiles arrive by cp.async one ahead, columns leave by streaming stores.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRecord = 18;  // bytes
constexpr int kThreads = 256;
constexpr int kTileBytes = kThreads * kRecord;
constexpr int kMaxBlocks = 132 * 8;

// The four bytes of two halves in memory order, as a big-endian number.
__device__ unsigned int swapped(unsigned int low_half, unsigned int high_half) {
    return __byte_perm(low_half, high_half, 0x0145);
}

// Orders the copy of one tile: whole vectors asynchronously, what is left by bytes.
__device__ void fetch(int n, int tile, bool aligned, const unsigned char* records, unsigned char* staged) {
    int first = tile * kThreads;
    int bytes = min(kThreads, n - first) * kRecord;
    const unsigned char* source = records + (size_t)first * kRecord;
    int vectors = aligned ? bytes / 16 : 0;
    for (int v = threadIdx.x; v < vectors; v += kThreads)
        __pipeline_memcpy_async(staged + 16 * v, source + 16 * v, 16);
    for (int b = 16 * vectors + threadIdx.x; b < bytes; b += kThreads) staged[b] = source[b];
}

__global__ void decode(int n, int tiles, bool aligned, const unsigned char* records, long long* time_ns,
                       uint32_t* instrument, int32_t* price, int32_t* quantity, unsigned char* venue) {
    __shared__ __align__(16) unsigned char buffers[2][kTileBytes];
    int current = 0;
    fetch(n, blockIdx.x, aligned, records, buffers[0]);
    __pipeline_commit();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int next = tile + gridDim.x;
        if (next < tiles) fetch(n, next, aligned, records, buffers[current ^ 1]);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();

        int i = tile * kThreads + threadIdx.x;
        if (i < n) {
            const unsigned short* record =
                reinterpret_cast<const unsigned short*>(buffers[current] + threadIdx.x * kRecord);
            unsigned int half[kRecord / 2];
#pragma unroll
            for (int h = 0; h < kRecord / 2; ++h) half[h] = record[h];
            uint64_t stamp = (uint64_t)swapped(half[0], half[1]) << 16 | (half[2] & 0xFF) << 8 | half[2] >> 8;
            __stcs(time_ns + i, (long long)stamp);
            __stcs(instrument + i, swapped(half[3], half[4]));
            __stcs(price + i, (int)swapped(half[5], half[6]));
            unsigned int tail = swapped(half[7], half[8]);  // size and flags
            int size = (int)(tail >> 8);
            __stcs(quantity + i, tail & 0x80 ? -size : size);
            __stcs(venue + i, (unsigned char)(tail & 0x7F));
        }
        __syncthreads();  // the buffer is filled again in the next round
        current ^= 1;
    }
}

extern "C" void decode_ticks(int n, const unsigned char* records, long long* time_ns, uint32_t* instrument,
                             int32_t* price, int32_t* quantity, unsigned char* venue) {
    bool aligned = reinterpret_cast<uintptr_t>(records) % 16 == 0;
    int tiles = (n - 1) / kThreads + 1;
    int blocks = tiles < kMaxBlocks ? tiles : kMaxBlocks;
    decode<<<blocks, kThreads>>>(n, tiles, aligned, records, time_ns, instrument, price, quantity, venue);
}
