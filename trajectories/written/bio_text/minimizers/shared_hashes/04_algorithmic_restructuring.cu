// Window minimizers: hashes with positions as 64-bit keys in shared memory, minima of ten by doubling.
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
    __shared__ unsigned long long keys[2][kHashes];  // hash and position, the hash more significant
    const int start = blockIdx.x * kThreads, t = threadIdx.x;
    for (int i = t; i < kBases; i += kThreads) bases[i] = start + i < n ? base[start + i] : 0;
    __syncthreads();
    for (int i = t; i < kHashes; i += kThreads) {
        uint32_t code = 0;
        for (int k = 0; k < kLetters; ++k) code = code << 2 | bases[i + k];
        keys[0][i] = (unsigned long long)mixed(code) << 32 | (uint32_t)(start + i);
    }
    __syncthreads();
    int current = 0;
    for (int width = 1; width < 8; width *= 2) {  // keys become minima of 2, 4 and 8
        for (int i = t; i < kHashes; i += kThreads) {
            const unsigned long long mine = keys[current][i], other = keys[current][min(i + width, kHashes - 1)];
            keys[current ^ 1][i] = min(mine, other);
        }
        __syncthreads();
        current ^= 1;
    }
    const int window = start + t;
    if (window >= windows) return;
    const unsigned long long best = min(keys[current][t], keys[current][t + kWindow - 8]);
    least[window] = (uint32_t)(best >> 32);
    place[window] = (int)(uint32_t)best;
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int windows = n - kLetters - kWindow + 2;
    find<<<(windows - 1) / kThreads + 1, kThreads>>>(n, windows, base, least, place);
}
