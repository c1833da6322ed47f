// Trip matrix: each block counts in shared memory and adds to the result once.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

struct Journey {
    int from, to, riders;
};

constexpr int kThreads = 512, kPairs = 1024;

__global__ void count(int journeys, const uint8_t* __restrict__ zone, const Journey* __restrict__ journey, int32_t* __restrict__ passengers,
                      int32_t* __restrict__ trips) {
    __shared__ int riders[kPairs], made[kPairs];
    for (int p = threadIdx.x; p < kPairs; p += kThreads) riders[p] = made[p] = 0;
    __syncthreads();
    for (int t = blockIdx.x * kThreads + threadIdx.x; t < journeys; t += gridDim.x * kThreads) {
        const Journey j = journey[t];
        if (j.riders == 0) continue;
        const int pair = 32 * zone[j.from] + zone[j.to];
        atomicAdd(riders + pair, j.riders);
        atomicAdd(made + pair, 1);
    }
    __syncthreads();
    for (int p = threadIdx.x; p < kPairs; p += kThreads) {
        if (made[p] == 0) continue;
        atomicAdd(passengers + p, riders[p]);
        atomicAdd(trips + p, made[p]);
    }
}

extern "C" void trip_matrix(int cells, int journeys, const uint8_t* zone, const Journey* journey, int32_t* passengers, int32_t* trips) {
    cudaMemsetAsync(passengers, 0, kPairs * sizeof(int32_t));
    cudaMemsetAsync(trips, 0, kPairs * sizeof(int32_t));
    count<<<std::min((journeys - 1) / (8 * kThreads) + 1, 132 * 4), kThreads>>>(journeys, zone, journey, passengers, trips);
}
