// Rank sums of many features: the two groups are gathered apart.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 512, kMost = 2048;  // samples of a feature

// For thread 0 only.
__device__ int64_t block_sum(int64_t sum) {
    __shared__ int64_t part[kThreads / 32];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = sum;
    __syncthreads();
    for (int w = 1; threadIdx.x == 0 && w < kThreads / 32; ++w) sum += part[w];
    return sum;
}

constexpr unsigned kAll = 0xffffffffu;

// Appends a value of every lane that asks for it to a list in shared memory; one lane takes the places for all.
__device__ void append(bool wanted, int mine, int* list, int* count) {
    const unsigned who = __ballot_sync(kAll, wanted);
    const int lane = threadIdx.x % 32;
    int place = 0;
    if (lane == 0 && who) place = atomicAdd(count, __popc(who));
    place = __shfl_sync(kAll, place, 0) + __popc(who & ((1u << lane) - 1));
    if (wanted) list[place] = mine;
}

// A block has a feature. The two groups are gathered apart, so that only pairs that count are looked at.
__global__ void compare(int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    __shared__ int low[kMost], high[kMost], counts[2];  // untreated and treated
    if (threadIdx.x < 2) counts[threadIdx.x] = 0;
    __syncthreads();
    for (int first = 0; first < samples; first += kThreads) {
        const int i = first + threadIdx.x;
        const bool inside = i < samples, group = inside && treated[i];
        const int mine = inside ? value[(long long)blockIdx.x * samples + i] : 0;
        append(inside && !group, mine, low, &counts[0]);
        append(group, mine, high, &counts[1]);
    }
    __syncthreads();
    int64_t sum = 0;
    for (int i = threadIdx.x; i < counts[1]; i += kThreads) {
        const int mine = high[i];
        int won = 0;
        for (int k = 0; k < counts[0]; ++k) won += (low[k] < mine) + (low[k] <= mine);
        sum += won;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) twice_u[blockIdx.x] = sum;
}

extern "C" void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    compare<<<features, kThreads>>>(samples, value, treated, twice_u);
}
