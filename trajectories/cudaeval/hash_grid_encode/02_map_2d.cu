// Hash grid: a thread has one level of one point; neighbouring threads write side by side.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void encode(int points, int levels, int entries, const float* place, const float* table, float* encoded) {
    const size_t own = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int p = (int)(own / levels), l = (int)(own % levels);
    if (p >= points) return;
    {
        const int cells = 16 << l;
        const float x = place[2 * p] * cells, y = place[2 * p + 1] * cells, i = floorf(x), j = floorf(y), fx = x - i, fy = y - j;
        float sum[2] = {};
        for (int c = 0; c < 4; ++c) {
            const float weight = (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy);
            const uint32_t at = ((uint32_t)i + (c & 1)) ^ ((uint32_t)j + (c >> 1)) * 2654435761u;
            const float* value = table + 2 * ((size_t)l * entries + (at & (uint32_t)(entries - 1)));
            for (int f = 0; f < 2; ++f) sum[f] += weight * value[f];
        }
        for (int f = 0; f < 2; ++f) encoded[2 * ((size_t)p * levels + l) + f] = sum[f];
    }
}

extern "C" void hash_grid_encode(int points, int levels, int entries, const float* place, const float* table, float* encoded) {
    encode<<<(unsigned)(((size_t)points * levels + 255) / 256), 256>>>(points, levels, entries, place, table, encoded);
}
