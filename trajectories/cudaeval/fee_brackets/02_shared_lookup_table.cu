// Fees by brackets: what all full brackets below one cost is summed once a block, so that a trade does one multiplication.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMost = 32;

__global__ void charge(int trades, int brackets, const int64_t* __restrict__ limit, const int32_t* __restrict__ rate,
                       const int32_t* __restrict__ floor, const int32_t* __restrict__ account, const int64_t* __restrict__ amount,
                       int64_t* __restrict__ fee) {
    __shared__ long long top[kMost], full[kMost + 1], bottom[kMost + 1];
    __shared__ int share[kMost + 1];
    if (threadIdx.x == 0) {
        long long charged = 0, below = 0;
        for (int b = 0; b <= brackets; ++b) {
            full[b] = charged;
            bottom[b] = below;
            share[b] = rate[b];
            if (b == brackets) break;
            top[b] = limit[b];
            charged += (limit[b] - below) * rate[b] / 1000000;
            below = limit[b];
        }
    }
    __syncthreads();
    for (long long t = blockIdx.x * (long long)blockDim.x + threadIdx.x; t < trades; t += (long long)gridDim.x * blockDim.x) {
        const long long value = amount[t];
        int b = 0;
        while (b < brackets && value > top[b]) ++b;
        fee[t] = max(full[b] + (value - bottom[b]) * share[b] / 1000000, (long long)floor[account[t]]);
    }
}

extern "C" void fee_brackets(int trades, int brackets, int, const int64_t* limit, const int32_t* rate, const int32_t* floor,
                             const int32_t* account, const int64_t* amount, int64_t* fee) {
    charge<<<min((trades + 255) / 256, 2112), 256>>>(trades, brackets, limit, rate, floor, account, amount, fee);
}
