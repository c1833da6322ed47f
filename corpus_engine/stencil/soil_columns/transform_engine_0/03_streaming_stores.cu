#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// soil_columns: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// grid_stride_loop(blocks 1056): a fixed number of blocks strides over all points.
// streaming_stores: what is touched once goes past the caches.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__device__ inline float conductivity(float scale, float s) { return scale * s * s * s; }

__global__ void soil_columns_1_map(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                                   const float* conductance, float* moisture) {
    for (unsigned int point = blockIdx.x * 256 + threadIdx.x; point < (unsigned int)columns; point += gridDim.x * 256) {
        const int column = point;
        float scale;
        float from_above;
        scale = __ldcs(&conductance[column]);
        for (int step = 0; step < steps; ++step) {
            from_above = rain[column];
            for (int k = 0; k < layers; ++k) {
                float down;
                if (k + 1 < layers) {
                    const float mean =
                        0.5f * (conductivity(scale, moisture[(unsigned long long)column * layers + k]) +
                                conductivity(scale, moisture[(unsigned long long)column * layers + (k + 1)]));
                    down = mean * ((moisture[(unsigned long long)column * layers + k] -
                                    moisture[(unsigned long long)column * layers + (k + 1)]) /
                                       spacing +
                                   1.0f);
                } else {
                    down = conductivity(scale, moisture[(unsigned long long)column * layers + k]);
                }
                moisture[(unsigned long long)column * layers + k] += dt / spacing * (from_above - down);
                from_above = down;
            }
        }
    }
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    if (columns >= 1) {
        soil_columns_1_map<<<min((columns - 1) / 256 + 1, 1056), 256>>>(columns, layers, steps, dt, spacing, rain,
                                                                        conductance, moisture);
    }
}