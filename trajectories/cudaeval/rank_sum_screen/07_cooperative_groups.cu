// Rank sums of many features: only long steps of the sort wait for the whole block.
#include <cooperative_groups.h>
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

// Sorts 2^n values ascending, by a bitonic network. Steps within 64 places are a warp's own and need no barrier of the block.
__device__ void sort(int* list, int size) {
    const auto warp = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
    for (int width = 2; width <= size; width *= 2) {
        for (int apart = width / 2; apart > 0; apart /= 2) {
            for (int p = threadIdx.x; p < size / 2; p += kThreads) {
                const int i = 2 * p - (p & (apart - 1)), j = i + apart;
                const int a = list[i], b = list[j];
                if ((a > b) == ((i & width) == 0)) {
                    list[i] = b;
                    list[j] = a;
                }
            }
            if (apart > 32 || (apart == 1 && width >= 64))
                __syncthreads();
            else
                warp.sync();
        }
    }
    if (size < 64) __syncthreads();
}

// How many of the ascending values are below `bound`; `size` is a power of two, and the last value is not below it.
__device__ int below(const int* list, int size, int bound) {
    int found = 0;
    for (int step = size / 2; step > 0; step /= 2)
        if (list[found + step - 1] < bound) found += step;
    return found;
}

// A block has a feature. The untreated values are sorted, so that a treated one finds its points by bisection.
__global__ void compare(int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    __shared__ int low[2 * kMost], high[kMost], counts[2];  // untreated and treated
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
    int size = 1;
    while (size <= counts[0]) size *= 2;  // at least one place is left over
    for (int i = counts[0] + threadIdx.x; i < size; i += kThreads) low[i] = 1 << 20;
    __syncthreads();
    sort(low, size);
    int64_t sum = 0;
    for (int i = threadIdx.x; i < counts[1]; i += kThreads) {
        const int mine = high[i];
        sum += below(low, size, mine) + below(low, size, mine + 1);
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) twice_u[blockIdx.x] = sum;
}

extern "C" void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    compare<<<features, kThreads>>>(samples, value, treated, twice_u);
}
