// Best bids, one thread per order book; books lie level-major in scratch memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLevels = 256;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, int* books,
                       short* best) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= instruments) return;
    int* quantity = books + i;
    const size_t next = instruments;  // from one level to the next
    for (int l = 0; l < kLevels; ++l) quantity[l * next] = 0;
    unsigned int occupied[kLevels / 32] = {};
    const size_t first = (size_t)i * messages;
    for (size_t m = first; m < first + messages; ++m) {
        const int at = level[m];
        const int left = max(0, quantity[at * next] + change[m]);
        quantity[at * next] = left;
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
