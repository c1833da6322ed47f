// Best bids, one thread per order book, books in scratch memory.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLevels = 256;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, int* books,
                       short* best) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= instruments) return;
    int* quantity = books + (size_t)i * kLevels;
    for (int l = 0; l < kLevels; ++l) quantity[l] = 0;
    int top = -1;
    const size_t first = (size_t)i * messages;
    for (size_t m = first; m < first + messages; ++m) {
        const int at = level[m];
        quantity[at] = max(0, quantity[at] + change[m]);
        top = max(top, at);
        while (top >= 0 && quantity[top] == 0) --top;
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
