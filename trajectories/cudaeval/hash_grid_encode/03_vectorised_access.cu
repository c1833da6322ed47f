// Hash grid: a pair of features is one 8-byte access.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void encode(int points, int levels, int entries, const float* place, const float* table, float* encoded) {
    const size_t own = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int p = (int)(own / levels), l = (int)(own % levels);
    if (p >= points) return;
    {
        const int cells = 16 << l;
        const float x = place[2 * p] * cells, y = place[2 * p + 1] * cells, i = floorf(x), j = floorf(y), fx = x - i, fy = y - j;
        float2 sum = make_float2(0.0f, 0.0f);
        for (int c = 0; c < 4; ++c) {
            const float weight = (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy);
            const uint32_t at = ((uint32_t)i + (c & 1)) ^ ((uint32_t)j + (c >> 1)) * 2654435761u;
            const float2 value = __ldg(reinterpret_cast<const float2*>(table) + (size_t)l * entries + (at & (uint32_t)(entries - 1)));
            sum.x += weight * value.x;
            sum.y += weight * value.y;
        }
        reinterpret_cast<float2*>(encoded)[own] = sum;
    }
}

extern "C" void hash_grid_encode(int points, int levels, int entries, const float* place, const float* table, float* encoded) {
    encode<<<(unsigned)(((size_t)points * levels + 255) / 256), 256>>>(points, levels, entries, place, table, encoded);
}
