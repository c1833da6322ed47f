// Frames: one read a thread.
#include <cuda_runtime.h>

#include <cstdint>

// three bases as six bits, in the order in which they are read
__device__ int codon(const uint8_t* read, int bases, int at, bool turned) {
    return turned ? (3 - read[bases - 1 - at]) << 4 | (3 - read[bases - 2 - at]) << 2 | (3 - read[bases - 3 - at]) : read[at] << 4 | read[at + 1] << 2 | read[at + 2];
}

__device__ bool stops(int code) { return code == 48 || code == 50 || code == 56; }

__global__ void find(int reads, int bases, const uint8_t* base, int* frame, int* begin, int* codons) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= reads) return;
    const uint8_t* read = base + (size_t)r * bases;
    int best = 0, where = -1, which = -1;
    for (int f = 0; f < 6; ++f) {
        int open = -1;
        for (int at = f % 3; at + 3 <= bases; at += 3) {
            const int code = codon(read, bases, at, f >= 3);
            if (open < 0 && code == 14) open = at;
            if (open < 0 || (!stops(code) && at + 6 <= bases)) continue;
            const int length = (at - open) / 3 + 1;
            if (length > best) best = length, where = open, which = f;
            open = -1;
        }
    }
    frame[r] = which;
    begin[r] = where;
    codons[r] = best;
}

extern "C" void open_frames(int reads, int bases, const uint8_t* base, int32_t* frame, int32_t* begin, int32_t* codons) {
    find<<<(reads + 63) / 64, 64>>>(reads, bases, base, frame, begin, codons);
}
