// Soil columns: a warp for each column, its layers in shared memory.
#include <cuda_runtime.h>

constexpr int kWarps = 4;         // columns of a block
constexpr int kMaxLayers = 128;

__device__ float conductivity(float scale, float s) { return scale * s * s * s; }

// The flux from a layer down to the one below it.
__device__ float flux(float scale, float spacing, float upper, float lower) {
    float mean = 0.5f * (conductivity(scale, upper) + conductivity(scale, lower));
    return mean * ((upper - lower) / spacing + 1.0f);
}

__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    __shared__ float rows[kWarps][2][kMaxLayers];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int column = blockIdx.x * kWarps + warp;
    if (column >= columns) return;
    float* s = moisture + (size_t)column * layers;
    float scale = conductance[column], top = rain[column];
    for (int k = lane; k < layers; k += 32) rows[warp][0][k] = s[k];
    __syncwarp();
    for (int step = 0; step < steps; ++step) {
        const float* old = rows[warp][step % 2];
        float* now = rows[warp][(step + 1) % 2];
        for (int k = lane; k < layers; k += 32) {
            float from_above = k > 0 ? flux(scale, spacing, old[k - 1], old[k]) : top;
            float down = k + 1 < layers ? flux(scale, spacing, old[k], old[k + 1]) : conductivity(scale, old[k]);
            now[k] = old[k] + dt / spacing * (from_above - down);
        }
        __syncwarp();
    }
    for (int k = lane; k < layers; k += 32) s[k] = rows[warp][steps % 2][k];
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    flow<<<(columns - 1) / kWarps + 1, 32 * kWarps>>>(columns, layers, steps, dt, spacing, rain, conductance, moisture);
}
