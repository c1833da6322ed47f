// Best bids, one thread per order book in shared memory; messages pass through a transposing tile of each warp.
#include <cuda_runtime.h>

constexpr int kThreads = 64;
constexpr int kLevels = 256;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, short* best) {
    extern __shared__ int books[];  // [level][thread]
    __shared__ int tiles[kThreads / 32][32][33];
    const int lane = threadIdx.x % 32, first_book = blockIdx.x * kThreads + threadIdx.x - lane;
    if (first_book >= instruments) return;  // the whole warp leaves together
    const int present = min(32, instruments - first_book);
    int(*tile)[33] = tiles[threadIdx.x / 32];
    int* quantity = books + threadIdx.x;
    for (int l = 0; l < kLevels; ++l) quantity[l * kThreads] = 0;
    unsigned int occupied[kLevels / 32] = {};
    for (int first = 0; first < messages; first += 32) {
        const int columns = min(32, messages - first);
        const size_t corner = (size_t)first_book * messages + first;
        for (int row = 0; row < present; ++row) {
            const size_t m = corner + (size_t)row * messages + lane;
            if (lane < columns) tile[row][lane] = change[m] * 256 + level[m];
        }
        __syncwarp();
        for (int column = 0; column < columns && lane < present; ++column) {
            const int packed = tile[lane][column], at = packed & 255;
            const int left = max(0, quantity[at * kThreads] + (packed - at) / 256);
            quantity[at * kThreads] = left;
            const unsigned int bit = 1u << (at % 32);
            int top = -1;
#pragma unroll
            for (int word = 0; word < kLevels / 32; ++word) {
                if (at / 32 == word) occupied[word] = left > 0 ? occupied[word] | bit : occupied[word] & ~bit;
                if (occupied[word] != 0) top = word * 32 + 31 - __clz(occupied[word]);
            }
            tile[lane][column] = top;
        }
        __syncwarp();
        for (int row = 0; row < present; ++row)
            if (lane < columns) best[corner + (size_t)row * messages + lane] = (short)tile[row][lane];
        __syncwarp();
    }
}

extern "C" void order_book_top(int instruments, int messages, const unsigned char* level, const int* change,
                               short* best) {
    const int bytes = kLevels * kThreads * sizeof(int);
    cudaFuncSetAttribute(replay, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    replay<<<(instruments - 1) / kThreads + 1, kThreads, bytes>>>(instruments, messages, level, change, best);
}
