// Trimming of sequencing reads: a warp tries 32 places of a read at a time.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAdapter = 12, kBases = 5;

__global__ void clear(int cycles, int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= cycles) lengths[i] = 0;
    if (i < cycles * kBases) composition[i] = 0;
    if (i < cycles) quality_sum[i] = 0;
}

// A warp has a read; its lanes try 32 neighbouring places at a time.
__global__ void trim(int reads, int cycles, const uint8_t* base, const uint8_t* adapter, int32_t* kept, int32_t* lengths) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= reads) return;
    const uint8_t* read = base + (long long)r * cycles;
    int cut = cycles;
    for (int first = 0; first < cycles && cut == cycles; first += 32) {
        const int overlap = min(kAdapter, cycles - first - lane);
        int allowed = overlap < 3 ? -1 : overlap / 4;
        for (int k = 0; k < overlap && allowed >= 0; ++k) allowed -= read[first + lane + k] != adapter[k];
        const unsigned found = __ballot_sync(0xffffffffu, allowed >= 0);
        if (found) cut = first + __ffs(found) - 1;
    }
    if (lane > 0) return;
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
    trim<<<(reads - 1) / 4 + 1, 128>>>(reads, cycles, base, adapter, kept, lengths);
    report<<<(unsigned)(((long long)reads * cycles - 1) / 256 + 1), 256>>>(reads, cycles, base, quality, kept, composition,
                                                                         quality_sum);
}
