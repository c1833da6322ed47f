// Regridding: one target point of one level a thread, levels along y.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void interpolate(int points, int targets, float missing, const uint8_t* __restrict__ wet, const int32_t* __restrict__ corner,
                            const float* __restrict__ weight, const float* __restrict__ field, float* __restrict__ onto) {
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= targets) return;
    const float* level = field + (size_t)blockIdx.y * points;
    float sum = 0.0f, total = 0.0f;
    for (int j = 4 * t; j < 4 * t + 4; ++j) {
        if (wet[corner[j]] == 0) continue;
        sum += weight[j] * level[corner[j]];
        total += weight[j];
    }
    onto[(size_t)blockIdx.y * targets + t] = total < 0.25f ? missing : sum / total;
}

extern "C" void regrid_fields(int levels, int points, int targets, float missing, const uint8_t* wet, const int32_t* corner,
                              const float* weight, const float* field, float* onto) {
    interpolate<<<dim3((targets - 1) / 256 + 1, levels), 256>>>(points, targets, missing, wet, corner, weight, field, onto);
}
