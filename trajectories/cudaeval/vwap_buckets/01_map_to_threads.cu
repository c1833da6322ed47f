// Minute buckets: one trade a thread, five atomics into five arrays.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMinutes = 24 * 60;
typedef unsigned long long u64;

__global__ void clear(size_t cells, int64_t* traded, int64_t* turnover, int32_t* high, int32_t* low, int32_t* count) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    traded[i] = turnover[i] = 0;
    high[i] = -1;
    low[i] = 0x7fffffff;
    count[i] = 0;
}

__global__ void book(int trades, const int32_t* instrument, const int32_t* millisecond, const int32_t* price, const int32_t* volume, u64* traded,
                     u64* turnover, int32_t* high, int32_t* low, int32_t* count) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= trades || volume[t] == 0) return;
    const size_t cell = (size_t)instrument[t] * kMinutes + millisecond[t] / 60000;
    atomicAdd(&traded[cell], (u64)volume[t]);
    atomicAdd(&turnover[cell], (u64)price[t] * (u64)volume[t]);
    atomicMax(&high[cell], price[t]);
    atomicMin(&low[cell], price[t]);
    atomicAdd(&count[cell], 1);
}

extern "C" void vwap_buckets(int trades, int instruments, const int32_t* instrument, const int32_t* millisecond, const int32_t* price,
                             const int32_t* volume, int64_t* traded, int64_t* turnover, int32_t* high, int32_t* low, int32_t* count) {
    const size_t cells = (size_t)instruments * kMinutes;
    clear<<<(unsigned)((cells + 255) / 256), 256>>>(cells, traded, turnover, high, low, count);
    book<<<(trades + 255) / 256, 256>>>(trades, instrument, millisecond, price, volume, reinterpret_cast<u64*>(traded),
                                        reinterpret_cast<u64*>(turnover), high, low, count);
}
