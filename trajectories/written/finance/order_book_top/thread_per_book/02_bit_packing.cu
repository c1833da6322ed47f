// Best bids, one thread per order book; which levels are occupied is a mask of 256 bits in registers.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLevels = 256;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, int* books,
                       short* best) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= instruments) return;
    int* quantity = books + (size_t)i * kLevels;
    for (int l = 0; l < kLevels; ++l) quantity[l] = 0;
    unsigned int occupied[kLevels / 32] = {};
    const size_t first = (size_t)i * messages;
    for (size_t m = first; m < first + messages; ++m) {
        const int at = level[m];
        const int left = max(0, quantity[at] + change[m]);
        quantity[at] = left;
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
    int* books = nullptr;
    cudaMalloc(&books, (size_t)instruments * kLevels * sizeof(int));
    replay<<<(instruments - 1) / kThreads + 1, kThreads>>>(instruments, messages, level, change, books, best);
    cudaFree(books);
}
