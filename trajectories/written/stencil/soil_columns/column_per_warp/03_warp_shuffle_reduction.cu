// Soil columns: a warp for each column, its layers in registers; neighbours are exchanged by shuffles.
#include <cuda_runtime.h>

constexpr int kWarps = 4;                    // columns of a block
constexpr int kGroups = 4;                   // layers of a lane: at most 128 in a column
constexpr unsigned kAll = 0xffffffffu;

__device__ float conductivity(float scale, float s) { return scale * s * s * s; }

__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    int lane = threadIdx.x % 32;
    int column = blockIdx.x * kWarps + threadIdx.x / 32;
    if (column >= columns) return;  // whole warps leave
    float* stretch = moisture + (size_t)column * layers;
    float scale = conductance[column], top = rain[column];
    float s[kGroups];  // of layers lane, lane + 32, ...
    for (int g = 0; g < kGroups; ++g) s[g] = 32 * g + lane < layers ? stretch[32 * g + lane] : 0.0f;
    for (int step = 0; step < steps; ++step) {
        float before = top;  // the flux into the first layer of the group
        for (int g = 0; g < kGroups; ++g) {
            int k = 32 * g + lane;
            float below = __shfl_down_sync(kAll, s[g], 1);
            float next_group = __shfl_sync(kAll, g + 1 < kGroups ? s[g + 1] : 0.0f, 0);
            if (lane == 31) below = next_group;
            float down = conductivity(scale, s[g]);
            if (k + 1 < layers) {
                float mean = 0.5f * (down + conductivity(scale, below));
                down = mean * ((s[g] - below) / spacing + 1.0f);
            }
            float from_above = __shfl_up_sync(kAll, down, 1);
            if (lane == 0) from_above = before;
            before = __shfl_sync(kAll, down, 31);
            s[g] += dt / spacing * (from_above - down);
        }
    }
    for (int g = 0; g < kGroups; ++g)
        if (32 * g + lane < layers) stretch[32 * g + lane] = s[g];
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    flow<<<(columns - 1) / kWarps + 1, 32 * kWarps>>>(columns, layers, steps, dt, spacing, rain, conductance, moisture);
}
