// Best bids, one warp per order book; 32 messages are fetched, handed round and answered at a time.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kLevels = 256;
constexpr unsigned int kAll = 0xffffffffu;

__global__ void replay(int instruments, int messages, const unsigned char* level, const int* change, short* best) {
    __shared__ int books[kThreads / 32][kLevels];
    const int lane = threadIdx.x % 32, i = blockIdx.x * (kThreads / 32) + threadIdx.x / 32;
    if (i >= instruments) return;  // the whole warp leaves together
    int* quantity = books[threadIdx.x / 32];
    for (int l = lane * 8; l < lane * 8 + 8; ++l) quantity[l] = 0;
    unsigned int occupied = 0;  // bit k: level 8 * lane + k
    const size_t first = (size_t)i * messages;
    for (int batch = 0; batch < messages; batch += 32) {
        const int present = min(32, messages - batch);
        const size_t m = first + batch + lane;
        const int my_level = lane < present ? level[m] : 0, my_change = lane < present ? change[m] : 0;
        int answer = -1;
        for (int k = 0; k < present; ++k) {
            const int at = __shfl_sync(kAll, my_level, k), added = __shfl_sync(kAll, my_change, k);
            if (at / 8 == lane) {
                const int left = max(0, quantity[at] + added);
                quantity[at] = left;
                const unsigned int bit = 1u << (at % 8);
                occupied = left > 0 ? occupied | bit : occupied & ~bit;
            }
            const unsigned int lanes = __ballot_sync(kAll, occupied != 0);
            const int owner = lanes != 0 ? 31 - __clz(lanes) : 0;
            const unsigned int bits = __shfl_sync(kAll, occupied, owner);
            if (lane == k) answer = lanes != 0 ? owner * 8 + 31 - __clz(bits) : -1;
        }
        if (lane < present) best[m] = (short)answer;
    }
}

extern "C" void order_book_top(int instruments, int messages, const unsigned char* level, const int* change,
                               short* best) {
    const int books_per_block = kThreads / 32;
    replay<<<(instruments - 1) / books_per_block + 1, kThreads>>>(instruments, messages, level, change, best);
}
