// Trimming of sequencing reads: one thread a read, then one thread a base.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAdapter = 12, kBases = 5;

__global__ void clear(int cycles, int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= cycles) lengths[i] = 0;
    if (i < cycles * kBases) composition[i] = 0;
    if (i < cycles) quality_sum[i] = 0;
}

__global__ void trim(int reads, int cycles, const uint8_t* base, const uint8_t* adapter, int32_t* kept, int32_t* lengths) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= reads) return;
    const uint8_t* read = base + (long long)r * cycles;
    int cut = 0;
    for (; cut + 3 <= cycles; ++cut) {
        const int overlap = min(kAdapter, cycles - cut);
        int allowed = overlap / 4;
        for (int k = 0; k < overlap && allowed >= 0; ++k) allowed -= read[cut + k] != adapter[k];
        if (allowed >= 0) break;
    }
    if (cut + 3 > cycles) cut = cycles;
    kept[r] = cut;
    atomicAdd(&lengths[cut], 1);
}

__global__ void report(int reads, int cycles, const uint8_t* base, const uint8_t* quality, const int32_t* kept, int32_t* composition,
                       int64_t* quality_sum) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const int c = (int)(i % cycles);
    if (i >= (long long)reads * cycles || c >= kept[i / cycles]) return;
    atomicAdd(&composition[c * kBases + base[i]], 1);
    atomicAdd((unsigned long long*)&quality_sum[c], (unsigned long long)quality[i]);
}

extern "C" void adapter_trim(int reads, int cycles, const uint8_t* base, const uint8_t* quality, const uint8_t* adapter, int32_t* kept,
                             int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    clear<<<(cycles * kBases) / 256 + 1, 256>>>(cycles, lengths, composition, quality_sum);
    trim<<<(reads - 1) / 128 + 1, 128>>>(reads, cycles, base, adapter, kept, lengths);
    report<<<(unsigned)(((long long)reads * cycles - 1) / 256 + 1), 256>>>(reads, cycles, base, quality, kept, composition,
                                                                         quality_sum);
}
