// Window minimizers: four rolling k-mers a thread into shared keys, minima of ten by doubling.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;
constexpr int kThreads = 256;
constexpr int kRun = 4;                     // consecutive k-mers per thread
constexpr int kWindows = kThreads * kRun;   // per block
constexpr int kHashes = kWindows + kWindow - 1;
constexpr int kBases = kHashes + kLetters - 1;

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void find(int n, int windows, const uint8_t* base, uint32_t* least, int* place) {
    __shared__ uint8_t bases[kBases];
    __shared__ unsigned long long keys[2][kHashes];  // hash and position, the hash more significant
    const int start = blockIdx.x * kWindows, t = threadIdx.x;
    for (int i = t; i < kBases; i += kThreads) bases[i] = start + i < n ? base[start + i] : 0;
    __syncthreads();
    for (int first = t * kRun; first < kHashes; first += kThreads * kRun) {
        uint32_t code = 0;
        for (int k = 0; k < kLetters - 1; ++k) code = code << 2 | bases[first + k];
        for (int i = first; i < min(first + kRun, kHashes); ++i) {
            code = (code << 2 | bases[i + kLetters - 1]) & ((1u << 2 * kLetters) - 1);
            keys[0][i] = (unsigned long long)mixed(code) << 32 | (uint32_t)(start + i);
        }
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
    for (int i = t; i < kWindows && start + i < windows; i += kThreads) {
        const unsigned long long best = min(keys[current][i], keys[current][i + kWindow - 8]);
        least[start + i] = (uint32_t)(best >> 32);
        place[start + i] = (int)(uint32_t)best;
    }
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int windows = n - kLetters - kWindow + 2;
    find<<<(windows - 1) / kWindows + 1, kThreads>>>(n, windows, base, least, place);
}
