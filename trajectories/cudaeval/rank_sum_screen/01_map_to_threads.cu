// Rank sums of many features: one thread a sample of a feature.
#include <cuda_runtime.h>

#include <cstdint>

// A treated sample wins two points over each untreated one below it, and one over each equal one.
__global__ void compare(int samples, const int16_t* value, const uint8_t* treated, int* points) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples) return;
    const int16_t* row = value + (long long)blockIdx.y * samples;
    int won = 0;
    for (int j = 0; j < samples; ++j)
        if (treated[i] && !treated[j]) won += row[j] < row[i] ? 2 : row[j] == row[i];
    points[(long long)blockIdx.y * samples + i] = won;
}

__global__ void add_up(int features, int samples, const int* points, int64_t* twice_u) {
    const int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= features) return;
    int64_t sum = 0;
    for (int i = 0; i < samples; ++i) sum += points[(long long)f * samples + i];
    twice_u[f] = sum;
}

extern "C" void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    int* points = nullptr;
    cudaMalloc(&points, sizeof(int) * features * samples);
    compare<<<dim3((samples - 1) / 256 + 1, features), 256>>>(samples, value, treated, points);
    add_up<<<(features - 1) / 64 + 1, 64>>>(features, samples, points, twice_u);
    cudaFree(points);
}
