#include <cuda_runtime.h>

constexpr unsigned kAll = 0xffffffffu;

// The number whose last byte is code[i]: five bytes fill 32 bits, so whatever lies further back has been shifted out.
__device__ unsigned gap_ending_at(const unsigned char* code, long long first, long long i, unsigned byte) {
    unsigned gap = byte & 127u;
    for (int back = 1; back < 5 && i - back >= first; ++back) {
        unsigned other = code[i - back];
        if (other & 128u) break;
        gap |= other << (7 * back);
    }
    return gap;
}

// A warp decodes a list, 32 bytes at a time: a vote finds the ends of numbers, shuffles add the gaps up.
__global__ void decode(int lists, const unsigned char* __restrict__ code, const long long* __restrict__ start, unsigned* document,
                       int* length) {
    int l = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (l >= lists) return;
    long long first = start[l], end = start[l + 1];
    unsigned* out = document + first;
    unsigned last = 0;
    int found = 0;
    for (long long base = first; base < end; base += 32) {
        long long i = base + lane;
        unsigned byte = i < end ? code[i] : 0;
        unsigned ends = __ballot_sync(kAll, byte & 128u);
        unsigned sum = byte & 128u ? gap_ending_at(code, first, i, byte) : 0;
        for (int d = 1; d < 32; d *= 2) {
            unsigned lower = __shfl_up_sync(kAll, sum, d);
            if (lane >= d) sum += lower;
        }
        if (byte & 128u) out[found + __popc(ends & ((1u << lane) - 1))] = last + sum;
        last += __shfl_sync(kAll, sum, 31);
        found += __popc(ends);
    }
    if (lane == 0) length[l] = found;
}

extern "C" void posting_decode(long long bytes, int lists, const unsigned char* code, const long long* start, unsigned* document,
                               int* length) {
    if (lists > 0) decode<<<(lists + 7) / 8, 256>>>(lists, code, start, document, length);
}
