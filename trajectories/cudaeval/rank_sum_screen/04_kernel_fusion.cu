// Rank sums of many features: a block has a feature and adds up its points.
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

// A block has a feature, whose samples it stages with their group in the lowest bit. A treated sample wins two points over each
// untreated one below it, and one over each equal one.
__global__ void compare(int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    __shared__ int row[kMost];
    for (int i = threadIdx.x; i < samples; i += kThreads) row[i] = 2 * value[(long long)blockIdx.x * samples + i] + treated[i];
    __syncthreads();
    int64_t sum = 0;
    for (int i = threadIdx.x; i < samples; i += kThreads) {
        const int mine = row[i] & ~1;
        int won = 0;
        for (int k = 0; k < samples; ++k)
            if (!(row[k] & 1)) won += row[k] < mine ? 2 : row[k] == mine;
        if (row[i] & 1) sum += won;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) twice_u[blockIdx.x] = sum;
}

extern "C" void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    compare<<<features, kThreads>>>(samples, value, treated, twice_u);
}
