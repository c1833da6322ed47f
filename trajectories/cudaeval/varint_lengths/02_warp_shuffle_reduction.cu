// Varints: a block's scan by ballots: a lane counts the ends below it in its warp, and warps add up eight numbers.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBlock = 256;

// How many bytes with a set top bit stand right before `i`.
__device__ int run_before(const uint8_t* stream, int i) {
    int run = 0;
    while (i - run > 0 && stream[i - run - 1] >= 0x80) ++run;
    return run;
}

// A record ends at a clear top bit, and at each fifth byte of a longer run.
__device__ bool ends(int bytes, const uint8_t* stream, int i) { return i < bytes && (stream[i] < 0x80 || run_before(stream, i) % 5 == 4); }

__device__ int scanned(int value, int* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int apart = 1; apart < kBlock; apart *= 2) {
        const int other = threadIdx.x >= apart ? shared[threadIdx.x - apart] : 0;
        __syncthreads();
        shared[threadIdx.x] = value += other;
        __syncthreads();
    }
    return value;
}

__global__ void count(int bytes, const uint8_t* stream, int* total) {
    const int sum = __syncthreads_count(ends(bytes, stream, blockIdx.x * kBlock + threadIdx.x));
    if (threadIdx.x == 0) total[blockIdx.x] = sum;
}

__global__ void before(int blocks, int* total, int32_t* records) {
    __shared__ int shared[kBlock];
    int carried = 0;
    for (int from = 0; from < blocks; from += kBlock) {
        const int i = from + threadIdx.x, own = i < blocks ? total[i] : 0, upto = scanned(own, shared);
        if (i < blocks) total[i] = carried + upto - own;
        carried += shared[kBlock - 1];
        __syncthreads();
    }
    if (threadIdx.x == 0) *records = carried;
}

__global__ void write(int bytes, const uint8_t* stream, const int* total, int32_t* start, uint32_t* value) {
    __shared__ int part[kBlock / 32];
    const int i = blockIdx.x * kBlock + threadIdx.x, warp = threadIdx.x / 32;
    const bool last = ends(bytes, stream, i);
    const unsigned votes = __ballot_sync(0xffffffffu, last);
    if (threadIdx.x % 32 == 0) part[warp] = __popc(votes);
    __syncthreads();
    if (!last) return;
    int number = total[blockIdx.x] + __popc(votes & ((1u << threadIdx.x % 32) - 1));
    for (int w = 0; w < warp; ++w) number += part[w];
    const int begin = i - run_before(stream, i) % 5;
    uint32_t sum = 0;
    for (int k = begin; k <= i; ++k) sum |= (uint32_t)(stream[k] & 0x7f) << 7 * (k - begin);
    start[number] = begin;
    value[number] = sum;
}

extern "C" void varint_lengths(int bytes, const uint8_t* stream, int32_t* start, uint32_t* value, int32_t* records) {
    const int blocks = (bytes + kBlock - 1) / kBlock;
    int* total = nullptr;
    cudaMallocAsync(&total, sizeof(int) * blocks, 0);
    count<<<blocks, kBlock>>>(bytes, stream, total);
    before<<<1, kBlock>>>(blocks, total, records);
    write<<<blocks, kBlock>>>(bytes, stream, total, start, value);
    cudaFreeAsync(total, 0);
}
