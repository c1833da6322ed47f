// Codon usage: one gene a thread.
#include <cuda_runtime.h>

#include <cstdint>

__device__ int number_of(uint8_t base) {
    switch (base) {
        case 'A': return 0;
        case 'C': return 1;
        case 'G': return 2;
        case 'T': return 3;
        default: return -1;
    }
}

__global__ void count(int genes, const int32_t* start, const uint8_t* base, int32_t* usage, int32_t* odd) {
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    if (g >= genes) return;
    usage += 64LL * g;
    for (int codon = 0; codon < 64; ++codon) usage[codon] = 0;
    int others = 0;
    for (int at = start[g]; at + 3 <= start[g + 1]; at += 3) {
        const int a = number_of(base[at]), b = number_of(base[at + 1]), c = number_of(base[at + 2]);
        if (a < 0 || b < 0 || c < 0)
            ++others;
        else
            ++usage[16 * a + 4 * b + c];
    }
    odd[g] = others;
}

extern "C" void codon_usage(int bases, int genes, const int32_t* start, const uint8_t* base, int32_t* usage, int32_t* odd) {
    count<<<(genes - 1) / 64 + 1, 64>>>(genes, start, base, usage, odd);
}
