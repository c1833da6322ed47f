// Trimming of sequencing reads: bases are bits of words, so that a place is tried by a few logical operations.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAdapter = 12, kBases = 5;

__global__ void clear(int cycles, int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= cycles) lengths[i] = 0;
    if (i < cycles * kBases) composition[i] = 0;
    if (i < cycles) quality_sum[i] = 0;
}

constexpr unsigned kAll = 0xffffffffu;

// Bases or the adapter, a bit each: the two bits of a base's number, and whether it is unknown.
struct Planes {
    unsigned low, high, unknown;
};

__device__ Planes planes_of(int b) { return {__ballot_sync(kAll, b & 1), __ballot_sync(kAll, b & 2), __ballot_sync(kAll, b & 4)}; }

// Whether the adapter fits at this lane's place of the first 32 bases.
__device__ bool fits(Planes now, Planes next, Planes adapter, int place, int cycles) {
    const int lane = threadIdx.x % 32, overlap = min(kAdapter, cycles - place);
    if (overlap < 3) return false;
    const unsigned differs = (__funnelshift_r(now.low, next.low, lane) ^ adapter.low) |
                             (__funnelshift_r(now.high, next.high, lane) ^ adapter.high) |
                             (__funnelshift_r(now.unknown, next.unknown, lane) ^ adapter.unknown);
    return __popc(differs & ((1u << overlap) - 1)) <= overlap / 4;
}

// A warp has a read; its lanes try 32 neighbouring places at a time, each comparing all bases at once.
__global__ void trim(int reads, int cycles, const uint8_t* base, const uint8_t* adapter, int32_t* kept, int32_t* lengths) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= reads) return;
    const uint8_t* read = base + (long long)r * cycles;
    const Planes wanted = planes_of(lane < kAdapter ? adapter[lane] : 0);
    Planes now = planes_of(lane < cycles ? read[lane] : 0);
    int cut = cycles;
    for (int first = 0; first < cycles && cut == cycles; first += 32) {
        const Planes next = planes_of(first + 32 + lane < cycles ? read[first + 32 + lane] : 0);
        const unsigned found = __ballot_sync(kAll, fits(now, next, wanted, first + lane, cycles));
        if (found) cut = first + __ffs(found) - 1;
        now = next;
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
