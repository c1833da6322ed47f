// Soil columns: a warp for each column, its layers in registers; neighbours are exchanged by shuffles.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // columns of a block
constexpr unsigned kAll = 0xffffffffu;

// kGroups is the number of layers of a lane.
template <int kGroups>
__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    int lane = threadIdx.x % 32;
    int column = blockIdx.x * kWarps + threadIdx.x / 32;
    if (column >= columns) return;  // whole warps leave
    float* stretch = moisture + (size_t)column * layers;
    float scale = conductance[column], top = rain[column];
    float inverse = 1.0f / spacing, gain = dt * inverse, half_scale = 0.5f * scale;
    float s[kGroups];  // of layers lane, lane + 32, ...
#pragma unroll
    for (int g = 0; g < kGroups; ++g) s[g] = 32 * g + lane < layers ? stretch[32 * g + lane] : 0.0f;
    for (int step = 0; step < steps; ++step) {
        float before = top;  // the flux into the first layer of the group
#pragma unroll
        for (int g = 0; g < kGroups; ++g) {
            int k = 32 * g + lane;
            float below = __shfl_down_sync(kAll, s[g], 1);
            float next_group = __shfl_sync(kAll, g + 1 < kGroups ? s[g + 1] : 0.0f, 0);
            if (lane == 31) below = next_group;
            float half_here = half_scale * s[g] * s[g] * s[g];  // half of the conductivity
            float half_below = __shfl_down_sync(kAll, half_here, 1);
            if (lane == 31) half_below = half_scale * below * below * below;
            float down = 2.0f * half_here;
            if (k + 1 < layers) down = (half_here + half_below) * ((s[g] - below) * inverse + 1.0f);
            float from_above = __shfl_up_sync(kAll, down, 1);
            if (lane == 0) from_above = before;
            before = __shfl_sync(kAll, down, 31);
            s[g] += gain * (from_above - down);
        }
    }
#pragma unroll
    for (int g = 0; g < kGroups; ++g)
        if (32 * g + lane < layers) stretch[32 * g + lane] = s[g];
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    auto kernel = layers <= 32 ? flow<1> : layers <= 64 ? flow<2> : layers <= 96 ? flow<3> : flow<4>;
    int blocks = (columns - 1) / kWarps + 1;
    kernel<<<blocks, 32 * kWarps>>>(columns, layers, steps, dt, spacing, rain, conductance, moisture);
}
