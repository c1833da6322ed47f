// Tax lots, first in first out: the trades are turned first, so that the accounts of a warp read neighbouring pairs.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;

// Trade t of account a goes to columns[t * accounts + a].
__global__ void turn(int accounts, int trades, const int* quantity, const int* price, int2* columns) {
    __shared__ int2 tile[32][33];
    const int top = blockIdx.x * 32, first = blockIdx.y * 32;
    for (int row = threadIdx.y; row < 32; row += 8) {
        const int a = top + row, t = first + threadIdx.x;
        if (a < accounts && t < trades) tile[row][threadIdx.x] = {quantity[(size_t)a * trades + t], price[(size_t)a * trades + t]};
    }
    __syncthreads();
    for (int row = threadIdx.y; row < 32; row += 8) {
        const int a = top + threadIdx.x, t = first + row;
        if (a < accounts && t < trades) columns[(size_t)t * accounts + a] = tile[threadIdx.x][row];
    }
}

__global__ void settle(int accounts, int trades, const int2* columns, int64_t* gain, int* held, int* refused) {
    const int a = blockIdx.x * kThreads + threadIdx.x;
    if (a >= accounts) return;
    const int2* own = columns + a;
    int oldest = -1, left = 0, cost = 0;  // the trade that opened the oldest lot, its shares left and their price
    int owned = 0, over = 0;
    int64_t total = 0;
    for (int t = 0; t < trades; ++t) {
        const int q = own[(size_t)t * accounts].x, p = own[(size_t)t * accounts].y;
        if (q > 0) {
            owned += q;
            continue;
        }
        int wanted = min(-q, owned);
        over += -q - wanted;
        owned -= wanted;
        while (wanted > 0) {
            if (left == 0) {
                do left = own[(size_t)(++oldest) * accounts].x;
                while (left <= 0);
                cost = own[(size_t)oldest * accounts].y;
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
    int2* columns = nullptr;
    cudaMalloc(&columns, (size_t)accounts * trades * sizeof(int2));
    turn<<<dim3((accounts - 1) / 32 + 1, (trades - 1) / 32 + 1), dim3(32, 8)>>>(accounts, trades, quantity, price, columns);
    settle<<<(accounts - 1) / kThreads + 1, kThreads>>>(accounts, trades, columns, gain, held, refused);
    cudaFree(columns);
}
