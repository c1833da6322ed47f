// Trip matrix: one journey a thread.
#include <cuda_runtime.h>

#include <cstdint>

struct Journey {
    int from, to, riders;
};

__global__ void count(int journeys, const uint8_t* zone, const Journey* journey, int32_t* passengers, int32_t* trips) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= journeys) return;
    const Journey j = journey[t];
    if (j.riders == 0) return;
    const int pair = 32 * zone[j.from] + zone[j.to];
    atomicAdd(passengers + pair, j.riders);
    atomicAdd(trips + pair, 1);
}

extern "C" void trip_matrix(int cells, int journeys, const uint8_t* zone, const Journey* journey, int32_t* passengers, int32_t* trips) {
    cudaMemsetAsync(passengers, 0, 1024 * sizeof(int32_t));
    cudaMemsetAsync(trips, 0, 1024 * sizeof(int32_t));
    count<<<(journeys - 1) / 256 + 1, 256>>>(journeys, zone, journey, passengers, trips);
}
