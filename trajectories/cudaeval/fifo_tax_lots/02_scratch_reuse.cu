// Tax lots, first in first out: the trades themselves are the queue; a second cursor walks over the purchases, the oldest lot is in
// registers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

__global__ void settle(int accounts, int trades, const int* quantity, const int* price, int64_t* gain, int* held, int* refused) {
    const int a = blockIdx.x * kThreads + threadIdx.x;
    if (a >= accounts) return;
    const int* q_row = quantity + (size_t)a * trades;
    const int* p_row = price + (size_t)a * trades;
    int oldest = -1, left = 0, cost = 0;  // the trade that opened the oldest lot, its shares left and their price
    int owned = 0, over = 0;
    int64_t total = 0;
    for (int t = 0; t < trades; ++t) {
        const int q = q_row[t], p = p_row[t];
        if (q > 0) {
            owned += q;
            continue;
        }
        int wanted = min(-q, owned);
        over += -q - wanted;
        owned -= wanted;
        while (wanted > 0) {
            if (left == 0) {
                do left = q_row[++oldest];
                while (left <= 0);
                cost = p_row[oldest];
            }
            const int taken = min(wanted, left);
            total += (int64_t)taken * (p - cost);
            left -= taken;
            wanted -= taken;
        }
    }
    gain[a] = total;
    held[a] = owned;
    refused[a] = over;
}

extern "C" void fifo_tax_lots(int accounts, int trades, const int* quantity, const int* price, int64_t* gain, int* held, int* refused) {
    settle<<<(accounts - 1) / kThreads + 1, kThreads>>>(accounts, trades, quantity, price, gain, held, refused);
}
