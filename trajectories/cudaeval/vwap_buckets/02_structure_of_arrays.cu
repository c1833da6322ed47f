// Minute buckets: a bucket is one record of 32 bytes while trades are booked, and is taken apart at the end.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMinutes = 24 * 60;
typedef unsigned long long u64;

struct alignas(32) Bucket {
    u64 traded, turnover;
    int high, low, count, spare;
};

__global__ void clear(size_t cells, Bucket* bucket) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < cells) bucket[i] = {0, 0, -1, 0x7fffffff, 0, 0};
}

__global__ void take_apart(size_t cells, const Bucket* bucket, int64_t* traded, int64_t* turnover, int32_t* high, int32_t* low, int32_t* count) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= cells) return;
    const Bucket b = bucket[i];
    traded[i] = (int64_t)b.traded;
    turnover[i] = (int64_t)b.turnover;
    high[i] = b.high;
    low[i] = b.low;
    count[i] = b.count;
}

__global__ void book(int trades, const int32_t* instrument, const int32_t* millisecond, const int32_t* price, const int32_t* volume,
                     Bucket* bucket) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= trades || volume[t] == 0) return;
    Bucket& own = bucket[(size_t)instrument[t] * kMinutes + millisecond[t] / 60000];
    atomicAdd(&own.traded, (u64)volume[t]);
    atomicAdd(&own.turnover, (u64)price[t] * (u64)volume[t]);
    atomicMax(&own.high, price[t]);
    atomicMin(&own.low, price[t]);
    atomicAdd(&own.count, 1);
}

extern "C" void vwap_buckets(int trades, int instruments, const int32_t* instrument, const int32_t* millisecond, const int32_t* price,
                             const int32_t* volume, int64_t* traded, int64_t* turnover, int32_t* high, int32_t* low, int32_t* count) {
    const size_t cells = (size_t)instruments * kMinutes;
    const unsigned blocks = (unsigned)((cells + 255) / 256);
    Bucket* bucket = nullptr;
    cudaMallocAsync(&bucket, sizeof(Bucket) * cells, 0);
    clear<<<blocks, 256>>>(cells, bucket);
    book<<<(trades + 255) / 256, 256>>>(trades, instrument, millisecond, price, volume, bucket);
    take_apart<<<blocks, 256>>>(cells, bucket, traded, turnover, high, low, count);
    cudaFreeAsync(bucket, 0);
}
