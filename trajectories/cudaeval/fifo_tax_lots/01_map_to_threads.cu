// Tax lots, first in first out: one account a thread, its open lots in a row of scratch memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

struct Lot {
    int shares, price;
};

__global__ void settle(int accounts, int trades, const int* quantity, const int* price,
                       int64_t* gain, int* held, int* refused, Lot* scratch) {
    const int a = blockIdx.x * kThreads + threadIdx.x;
    if (a >= accounts) return;
    Lot* lots = scratch + (size_t)a * trades;
    int oldest = 0, opened = 0, owned = 0, over = 0;
    int64_t total = 0;
    for (int t = 0; t < trades; ++t) {
        const int q = quantity[(size_t)a * trades + t], p = price[(size_t)a * trades + t];
        if (q > 0) {
            lots[opened++] = {q, p};
            owned += q;
            continue;
        }
        int wanted = -q;
        while (wanted > 0 && oldest < opened) {
            const int taken = min(wanted, lots[oldest].shares);
            total += (int64_t)taken * (p - lots[oldest].price);
            lots[oldest].shares -= taken;
            wanted -= taken;
            owned -= taken;
            if (lots[oldest].shares == 0) ++oldest;
        }
        over += wanted;
    }
    gain[a] = total;
    held[a] = owned;
    refused[a] = over;
}

extern "C" void fifo_tax_lots(int accounts, int trades, const int* quantity, const int* price, int64_t* gain, int* held, int* refused) {
    Lot* scratch = nullptr;
    cudaMalloc(&scratch, (size_t)accounts * trades * sizeof(Lot));
    settle<<<(accounts - 1) / kThreads + 1, kThreads>>>(accounts, trades, quantity, price, gain, held, refused, scratch);
    cudaFree(scratch);
}
