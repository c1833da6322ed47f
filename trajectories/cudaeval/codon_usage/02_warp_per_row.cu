// Codon usage: one gene a warp, which counts in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kWarps = 4;

__device__ int number_of(uint8_t base) {
    switch (base) {
        case 'A': return 0;
        case 'C': return 1;
        case 'G': return 2;
        case 'T': return 3;
        default: return -1;
    }
}

__global__ void count(int genes, const int32_t* __restrict__ start, const uint8_t* __restrict__ base,
                      int32_t* __restrict__ usage, int32_t* __restrict__ odd) {
    __shared__ int counts[kWarps][64];
    const int g = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (g >= genes) return;
    int* mine = counts[threadIdx.x / 32];
    mine[lane] = mine[lane + 32] = 0;
    __syncwarp();
    int others = 0;
    for (int at = start[g] + 3 * lane; at + 3 <= start[g + 1]; at += 96) {
        const int a = number_of(base[at]), b = number_of(base[at + 1]), c = number_of(base[at + 2]);
        if (a < 0 || b < 0 || c < 0)
            ++others;
        else
            atomicAdd(mine + 16 * a + 4 * b + c, 1);
    }
    __syncwarp();
    usage[64LL * g + lane] = mine[lane];
    usage[64LL * g + lane + 32] = mine[lane + 32];
    others = __reduce_add_sync(0xffffffffu, others);
    if (lane == 0) odd[g] = others;
}

extern "C" void codon_usage(int bases, int genes, const int32_t* start, const uint8_t* base, int32_t* usage, int32_t* odd) {
    count<<<(genes - 1) / kWarps + 1, 32 * kWarps>>>(genes, start, base, usage, odd);
}
