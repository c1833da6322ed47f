// Window minimizers: a block keeps its bases and hashes with their halo in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;
constexpr int kThreads = 256;  // and windows per block
constexpr int kHashes = kThreads + kWindow - 1;
constexpr int kBases = kHashes + kLetters - 1;

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void find(int n, int windows, const uint8_t* base, uint32_t* least, int* place) {
    __shared__ uint8_t bases[kBases];
    __shared__ uint32_t hashes[kHashes];
    const int start = blockIdx.x * kThreads, t = threadIdx.x;
    for (int i = t; i < kBases; i += kThreads) bases[i] = start + i < n ? base[start + i] : 0;
    __syncthreads();
    for (int i = t; i < kHashes; i += kThreads) {
        uint32_t code = 0;
        for (int k = 0; k < kLetters; ++k) code = code << 2 | bases[i + k];
        hashes[i] = mixed(code);
    }
    __syncthreads();
    const int window = start + t;
    if (window >= windows) return;
    int first = t;
    uint32_t best = hashes[t];
    for (int i = t + 1; i < t + kWindow; ++i)
        if (hashes[i] < best) {
            best = hashes[i];
            first = i;
        }
    least[window] = best;
    place[window] = start + first;
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int windows = n - kLetters - kWindow + 2;
    find<<<(windows - 1) / kThreads + 1, kThreads>>>(n, windows, base, least, place);
}
