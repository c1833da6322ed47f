// Regridding: a thread has eight levels of a target point, for which it looks up corners, weights and land once.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kLevels = 8;

__global__ void interpolate(int levels, int points, int targets, float missing, const uint8_t* __restrict__ wet,
                            const int32_t* __restrict__ corner, const float* __restrict__ weight, const float* __restrict__ field,
                            float* __restrict__ onto) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= targets) return;
    int place[4];
    float share[4], total = 0.0f;
    for (int j = 0; j < 4; ++j) {
        place[j] = corner[4 * t + j];
        const bool counts = wet[place[j]] != 0;
        share[j] = counts ? weight[4 * t + j] : 0.0f;
        total += share[j];
    }
    const int first = blockIdx.y * kLevels, end = min(levels, first + kLevels);
#pragma unroll 4
    for (int l = first; l < end; ++l) {
        const float* level = field + (size_t)l * points;
        float sum = 0.0f;
        for (int j = 0; j < 4; ++j) sum += share[j] * level[place[j]];
        onto[(size_t)l * targets + t] = total < 0.25f ? missing : sum / total;
    }
}

extern "C" void regrid_fields(int levels, int points, int targets, float missing, const uint8_t* wet, const int32_t* corner,
                              const float* weight, const float* field, float* onto) {
    const dim3 grid((targets - 1) / 256 + 1, (levels - 1) / kLevels + 1);
    interpolate<<<grid, 256>>>(levels, points, targets, missing, wet, corner, weight, field, onto);
}
