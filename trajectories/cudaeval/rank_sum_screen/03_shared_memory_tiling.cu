// Rank sums of many features: samples are staged in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

// A treated sample wins two points over each untreated one below it, and one over each equal one. Samples are staged 256 at a time,
// their group in the lowest bit.
__global__ void compare(int samples, const int16_t* value, const uint8_t* treated, int* points) {
    __shared__ int tile[kThreads];
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const int16_t* row = value + (long long)blockIdx.y * samples;
    const int mine = i < samples ? row[i] : 0;
    int won = 0;
    for (int first = 0; first < samples; first += kThreads) {
        const int j = first + threadIdx.x, count = min(kThreads, samples - first);
        if (j < samples) tile[threadIdx.x] = 2 * row[j] + treated[j];
        __syncthreads();
        for (int k = 0; k < count; ++k)
            if (!(tile[k] & 1)) won += tile[k] < 2 * mine ? 2 : tile[k] == 2 * mine;
        __syncthreads();
    }
    if (i < samples) points[(long long)blockIdx.y * samples + i] = treated[i] ? won : 0;
}

// One warp a feature.
__global__ void add_up(int features, int samples, const int* points, int64_t* twice_u) {
    const int f = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (f >= features) return;
    int64_t sum = 0;
    for (int i = lane; i < samples; i += 32) sum += points[(long long)f * samples + i];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_down_sync(0xffffffffu, sum, apart);
    if (lane == 0) twice_u[f] = sum;
}

extern "C" void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    int* points = nullptr;
    cudaMalloc(&points, sizeof(int) * features * samples);
    compare<<<dim3((samples - 1) / 256 + 1, features), 256>>>(samples, value, treated, points);
    add_up<<<(features - 1) / 4 + 1, 128>>>(features, samples, points, twice_u);
    cudaFree(points);
}
