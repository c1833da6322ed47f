// Window minimizers: hashes slide through registers, bases and results pass through shared memory in order.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLetters = 15, kWindow = 10;
constexpr int kThreads = 128;
constexpr int kRun = 16;                   // windows per thread
constexpr int kPitch = kRun + 1;           // words per row of results: lanes in one column use different banks
constexpr int kWindows = kThreads * kRun;  // per block
constexpr int kBases = kWindows + kWindow - 1 + kLetters - 1;

__device__ uint32_t mixed(uint32_t v) {
    v = (v ^ v >> 15) * 739982445u;
    v = (v ^ v >> 12) * 695872825u;
    return v ^ v >> 15;
}

__global__ void find(int n, int windows, const uint8_t* base, uint32_t* least, int* place) {
    __shared__ uint8_t bases[kBases];
    __shared__ uint32_t values[kThreads * kPitch];
    __shared__ uint8_t offsets[kThreads * kPitch];  // of the minimum in its window
    const int start = blockIdx.x * kWindows, t = threadIdx.x;
    for (int i = t; i < kBases; i += kThreads) bases[i] = start + i < n ? base[start + i] : 0;
    __syncthreads();

    const uint8_t* mine = bases + t * kRun;
    uint32_t code = 0, recent[kWindow] = {};  // recent[kWindow - 1] is the newest hash
    for (int i = 0; i < kLetters - 1; ++i) code = code << 2 | mine[i];
#pragma unroll
    for (int kmer = 0; kmer < kRun + kWindow - 1; ++kmer) {
        code = (code << 2 | mine[kmer + kLetters - 1]) & ((1u << 2 * kLetters) - 1);
#pragma unroll
        for (int i = 0; i + 1 < kWindow; ++i) recent[i] = recent[i + 1];
        recent[kWindow - 1] = mixed(code);
        const int window = kmer - kWindow + 1;
        if (window < 0) continue;
        int first = 0;
        uint32_t best = recent[0];
#pragma unroll
        for (int i = 1; i < kWindow; ++i) {
            first = recent[i] < best ? i : first;
            best = min(best, recent[i]);
        }
        values[t * kPitch + window] = best;
        offsets[t * kPitch + window] = (uint8_t)first;
    }
    __syncthreads();
    for (int i = t; i < kWindows && start + i < windows; i += kThreads) {
        const int kept = i / kRun * kPitch + i % kRun;
        least[start + i] = values[kept];
        place[start + i] = start + i + offsets[kept];
    }
}

extern "C" void minimizers(int n, const uint8_t* base, uint32_t* least, int* place) {
    const int windows = n - kLetters - kWindow + 2;
    find<<<(windows - 1) / kWindows + 1, kThreads>>>(n, windows, base, least, place);
}
