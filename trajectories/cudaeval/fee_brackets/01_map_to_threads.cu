// Fees by brackets: one thread a trade, walking the brackets from the lowest.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void charge(int trades, int brackets, const int64_t* limit, const int32_t* rate, const int32_t* floor, const int32_t* account,
                       const int64_t* amount, int64_t* fee) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= trades) return;
    long long charged = 0, below = 0;
    int b = 0;
    while (b < brackets && amount[t] > limit[b]) {
        charged += (limit[b] - below) * rate[b] / 1000000;
        below = limit[b++];
    }
    charged += (amount[t] - below) * rate[b] / 1000000;
    fee[t] = max(charged, (long long)floor[account[t]]);
}

extern "C" void fee_brackets(int trades, int brackets, int, const int64_t* limit, const int32_t* rate, const int32_t* floor,
                             const int32_t* account, const int64_t* amount, int64_t* fee) {
    charge<<<(trades + 255) / 256, 256>>>(trades, brackets, limit, rate, floor, account, amount, fee);
}
