// Frames: eight lanes a read, a frame each for six of them.
#include <cuda_runtime.h>

#include <cstdint>

// three bases as six bits, in the order in which they are read
__device__ int codon(const uint8_t* read, int bases, int at, bool turned) {
    return turned ? (3 - read[bases - 1 - at]) << 4 | (3 - read[bases - 2 - at]) << 2 | (3 - read[bases - 3 - at]) : read[at] << 4 | read[at + 1] << 2 | read[at + 2];
}

__device__ bool stops(int code) { return code == 48 || code == 50 || code == 56; }

// length above, then lower frames and earlier places win
__device__ unsigned long long key(int length, int f, int open) { return (unsigned long long)length << 35 | (unsigned long long)(7 - f) << 32 | (0xffffffffu - (unsigned)open); }

__device__ void tell(unsigned long long best, int* frame, int* begin, int* codons) {
    *codons = (int)(best >> 35);
    *frame = best ? 7 - (int)(best >> 32 & 7) : -1;
    *begin = best ? (int)(0xffffffffu - (unsigned)best) : -1;
}

__global__ void find(int reads, int bases, const uint8_t* base, int* frame, int* begin, int* codons) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 8, f = threadIdx.x % 8;
    const uint8_t* read = base + (size_t)min(r, reads - 1) * bases;
    unsigned long long best = 0;
    int open = -1;
    for (int at = f % 3; f < 6 && r < reads && at + 3 <= bases; at += 3) {
        const int code = codon(read, bases, at, f >= 3);
        if (open < 0 && code == 14) open = at;
        if (open < 0 || (!stops(code) && at + 6 <= bases)) continue;
        const unsigned long long own = key((at - open) / 3 + 1, f, open);
        best = own > best ? own : best;
        open = -1;
    }
    for (int apart = 4; apart > 0; apart /= 2) {
        const unsigned long long other = __shfl_xor_sync(0xffffffffu, best, apart);
        best = other > best ? other : best;
    }
    if (r < reads && f == 0) tell(best, frame + r, begin + r, codons + r);
}

extern "C" void open_frames(int reads, int bases, const uint8_t* base, int32_t* frame, int32_t* begin, int32_t* codons) {
    find<<<(reads + 15) / 16, 128>>>(reads, bases, base, frame, begin, codons);
}
