// Window minimizers: one thread per run of 64 windows with a rolling k-mer and a ring of hashes.
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
    uint32_t code = 0, ring[kWindow];
    for (int i = begin; i < begin + kLetters - 1; ++i) code = code << 2 | base[i];
    for (int kmer = begin; kmer < end + kWindow - 1; ++kmer) {
        code = (code << 2 | base[kmer + kLetters - 1]) & ((1u << 2 * kLetters) - 1);
        ring[kmer % kWindow] = mixed(code);
        const int window = kmer - kWindow + 1;
        if (window < begin) continue;
        int first = window;
        for (int i = window + 1; i <= kmer; ++i)
            if (ring[i % kWindow] < ring[first % kWindow]) first = i;
        least[window] = ring[first % kWindow];
        place[window] = first;
    }
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int threads = 128, windows = n - kLetters - kWindow + 2;
    const int runs = (windows - 1) / kRun + 1;
    find<<<(runs - 1) / threads + 1, threads>>>(windows, base, least, place);
}
