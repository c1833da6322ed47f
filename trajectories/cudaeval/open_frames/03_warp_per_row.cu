// Frames: a warp takes a read, with 32 codons of a frame at once: votes tell where frames open and where they end.
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

__global__ void find(int reads, int bases, const uint8_t* __restrict__ base, int* frame, int* begin, int* codons) {
    const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (r >= reads) return;
    const uint8_t* read = base + (size_t)r * bases;
    unsigned long long best = 0;
    for (int f = 0; f < 6; ++f) {
        int open = -1;
        for (int from = f % 3; from + 3 <= bases; from += 96) {
            const int at = from + 3 * lane;
            const int code = at + 3 <= bases ? codon(read, bases, at, f >= 3) : 0;
            unsigned starts = __ballot_sync(0xffffffffu, at + 3 <= bases && code == 14);
            unsigned ends = __ballot_sync(0xffffffffu, at + 3 <= bases && (stops(code) || at + 6 > bases));
            while (starts | ends) {
                if (open < 0) {
                    if (!starts) break;
                    const int first = __ffs(starts) - 1;
                    open = from + 3 * first;
                    ends &= ~((1u << first) - 1);
                }
                if (!ends) break;
                const int last = __ffs(ends) - 1;
                const unsigned long long own = key((from + 3 * last - open) / 3 + 1, f, open);
                best = own > best ? own : best;
                open = -1;
                const unsigned past = last == 31 ? 0 : ~0u << (last + 1);
                starts &= past;
                ends &= past;
            }
        }
    }
    if (lane == 0) tell(best, frame + r, begin + r, codons + r);
}

extern "C" void open_frames(int reads, int bases, const uint8_t* base, int32_t* frame, int32_t* begin, int32_t* codons) {
    find<<<(reads + 3) / 4, 128>>>(reads, bases, base, frame, begin, codons);
}
