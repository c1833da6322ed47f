// Best bids, one thread per order book; 64 books of a block in shared memory, one bank per lane.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr int kLevels = 256;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, short* best) {
    extern __shared__ int books[];  // [level][thread]
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= instruments) return;
    int* quantity = books + threadIdx.x;
    for (int l = 0; l < kLevels; ++l) quantity[l * kThreads] = 0;
    unsigned int occupied[kLevels / 32] = {};
    const size_t first = (size_t)i * messages;
    for (size_t m = first; m < first + messages; ++m) {
        const int at = level[m];
        const int left = max(0, quantity[at * kThreads] + change[m]);
        quantity[at * kThreads] = left;
        const unsigned int bit = 1u << (at % 32);
        int top = -1;
#pragma unroll
        for (int word = 0; word < kLevels / 32; ++word) {
            if (at / 32 == word) occupied[word] = left > 0 ? occupied[word] | bit : occupied[word] & ~bit;
            if (occupied[word] != 0) top = word * 32 + 31 - __clz(occupied[word]);
        }
        best[m] = (short)top;
    }
}

extern "C" void order_book_top(int instruments, int messages, const unsigned char* level, const int* change,
                               short* best) {
    const int bytes = kLevels * kThreads * sizeof(int);
    cudaFuncSetAttribute(replay, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    replay<<<(instruments - 1) / kThreads + 1, kThreads, bytes>>>(instruments, messages, level, change, best);
}
