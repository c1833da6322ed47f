// Trimming of sequencing reads: a warp reports on its reads while it has them in registers.
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

constexpr int kChunks = 4, kWarps = 8, kReads = 2;  // words of a read at most; warps of a block; reads of a warp

// A warp takes reads one after the other and keeps what is counted for its lanes' cycles in registers.
__global__ void trim(int reads, int cycles, const uint8_t* base, const uint8_t* quality, const uint8_t* adapter, int32_t* kept,
                     int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    const int lane = threadIdx.x % 32, begin = (blockIdx.x * kWarps + threadIdx.x / 32) * kReads;
    const Planes wanted = planes_of(lane < kAdapter ? adapter[lane] : 0);
    int count[kChunks][kBases] = {}, sum[kChunks] = {};
    for (int r = begin; r < min(begin + kReads, reads); ++r) {
        int b[kChunks];
        Planes word[kChunks + 1] = {};
#pragma unroll
        for (int w = 0; w < kChunks; ++w) {
            const int c = 32 * w + lane;
            b[w] = 0;
            if (32 * w >= cycles) continue;
            if (c < cycles) b[w] = base[(long long)r * cycles + c];
            word[w] = planes_of(b[w]);
        }
        int cut = cycles;
#pragma unroll
        for (int w = 0; w < kChunks; ++w) {
            if (32 * w >= cycles || cut < cycles) continue;
            const unsigned found = __ballot_sync(kAll, fits(word[w], word[w + 1], wanted, 32 * w + lane, cycles));
            if (found) cut = 32 * w + __ffs(found) - 1;
        }
#pragma unroll
        for (int w = 0; w < kChunks; ++w) {
            if (32 * w + lane >= cut) continue;
            for (int k = 0; k < kBases; ++k) count[w][k] += b[w] == k;
            sum[w] += quality[(long long)r * cycles + 32 * w + lane];
        }
        if (lane > 0) continue;
        kept[r] = cut;
        atomicAdd(&lengths[cut], 1);
    }
#pragma unroll
    for (int w = 0; w < kChunks; ++w) {
        const int c = 32 * w + lane;
        if (c >= cycles) continue;
        for (int k = 0; k < kBases; ++k) atomicAdd(&composition[c * kBases + k], count[w][k]);
        atomicAdd((unsigned long long*)&quality_sum[c], (unsigned long long)sum[w]);
    }
}

extern "C" void adapter_trim(int reads, int cycles, const uint8_t* base, const uint8_t* quality, const uint8_t* adapter, int32_t* kept,
                             int32_t* lengths, int32_t* composition, int64_t* quality_sum) {
    clear<<<(cycles * kBases) / 256 + 1, 256>>>(cycles, lengths, composition, quality_sum);
    trim<<<(reads - 1) / (kWarps * kReads) + 1, 32 * kWarps>>>(reads, cycles, base, quality, adapter, kept, lengths, composition,
                                                              quality_sum);
}
