// Name ranks: names are put into buckets by their first five letters; a rank is where the bucket begins and comparisons within the bucket alone.
#include <cuda_runtime.h>

#include <cstdint>

// Eight letters of three bits each: as a number they are in the order of the names.
__device__ unsigned number_of(const uint8_t* name, int i) {
    const uint2 word = reinterpret_cast<const uint2*>(name)[i];
    unsigned number = 0;
#pragma unroll
    for (int k = 0; k < 4; ++k) number = number << 3 | (word.x >> 8 * k & 7);
#pragma unroll
    for (int k = 0; k < 4; ++k) number = number << 3 | (word.y >> 8 * k & 7);
    return number;
}

constexpr int kBuckets = 1 << 15;  // names by their first five letters

__global__ void count(int names, const uint8_t* __restrict__ name, int* bucket) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < names) atomicAdd(&bucket[number_of(name, i) >> 9], 1);
}

// Where each bucket begins, and a copy that counts on while names are put in; one block of 1024 threads.
__global__ void begin(const int* __restrict__ bucket, int* __restrict__ start, int* __restrict__ next) {
    __shared__ int warps[32];
    constexpr int kOwn = kBuckets / 1024;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    int sum = 0;
    for (int k = 0; k < kOwn; ++k) sum += bucket[kOwn * threadIdx.x + k];
    int upto = sum;
    for (int apart = 1; apart < 32; apart *= 2) {
        const int other = __shfl_up_sync(0xffffffffu, upto, apart);
        if (lane >= apart) upto += other;
    }
    if (lane == 31) warps[warp] = upto;
    __syncthreads();
    int at = upto - sum;
    for (int w = 0; w < warp; ++w) at += warps[w];
    for (int k = 0; k < kOwn; ++k) {
        start[kOwn * threadIdx.x + k] = next[kOwn * threadIdx.x + k] = at;
        at += bucket[kOwn * threadIdx.x + k];
    }
}

// A member is a name's number with its place below, so that equal names are in order too.
__global__ void put_in(int names, const uint8_t* __restrict__ name, int* next, unsigned long long* __restrict__ member) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= names) return;
    const unsigned number = number_of(name, i);
    member[atomicAdd(&next[number >> 9], 1)] = (unsigned long long)number << 32 | i;
}

__global__ void ranks(int names, const int* __restrict__ bucket, const int* __restrict__ start, const unsigned long long* __restrict__ member,
                      int32_t* __restrict__ rank) {
    const int m = blockIdx.x * blockDim.x + threadIdx.x;
    if (m >= names) return;
    const unsigned long long own = member[m];
    const int b = own >> 41, from = start[b];
    int before = from;
    for (int k = from; k < from + bucket[b]; ++k) before += member[k] < own;
    rank[(int)own] = before;
}

extern "C" void name_ranks(int names, const uint8_t* name, int32_t* rank) {
    int* bucket = nullptr;
    unsigned long long* member = nullptr;
    cudaMallocAsync(&bucket, 3 * sizeof(int) * kBuckets, 0);
    cudaMallocAsync(&member, sizeof(unsigned long long) * names, 0);
    int *start = bucket + kBuckets, *next = start + kBuckets;
    const int blocks = (names + 255) / 256;
    cudaMemsetAsync(bucket, 0, sizeof(int) * kBuckets);
    count<<<blocks, 256>>>(names, name, bucket);
    begin<<<1, 1024>>>(bucket, start, next);
    put_in<<<blocks, 256>>>(names, name, next, member);
    ranks<<<blocks, 256>>>(names, bucket, start, member, rank);
    cudaFreeAsync(member, 0);
    cudaFreeAsync(bucket, 0);
}
