// Window minimizers: one thread per run of 64 windows, the last ten hashes slide through registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;
constexpr int kRun = 64;  // windows per thread

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void find(int windows, const uint8_t* base, uint32_t* least, int* place) {
    const int begin = (blockIdx.x * blockDim.x + threadIdx.x) * kRun, end = min(begin + kRun, windows);
    if (begin >= windows) return;
    uint32_t code = 0, recent[kWindow] = {};  // recent[kWindow - 1] is the newest hash
    for (int i = begin; i < begin + kLetters - 1; ++i) code = code << 2 | base[i];
#pragma unroll 10
    for (int kmer = begin; kmer < end + kWindow - 1; ++kmer) {
        code = (code << 2 | base[kmer + kLetters - 1]) & ((1u << 2 * kLetters) - 1);
#pragma unroll
        for (int i = 0; i + 1 < kWindow; ++i) recent[i] = recent[i + 1];
        recent[kWindow - 1] = mixed(code);
        const int window = kmer - kWindow + 1;
        if (window < begin) continue;
        int first = 0;
        uint32_t best = recent[0];
#pragma unroll
        for (int i = 1; i < kWindow; ++i) {
            first = recent[i] < best ? i : first;
            best = min(best, recent[i]);
        }
        least[window] = best;
        place[window] = window + first;
    }
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int threads = 128, windows = n - kLetters - kWindow + 2;
    const int runs = (windows - 1) / kRun + 1;
    find<<<(runs - 1) / threads + 1, threads>>>(windows, base, least, place);
}
