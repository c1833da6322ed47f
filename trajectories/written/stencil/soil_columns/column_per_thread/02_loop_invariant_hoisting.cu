// Soil columns: a thread for each column.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ float conductivity(float scale, float s) { return scale * s * s * s; }

__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    int column = blockIdx.x * kThreads + threadIdx.x;
    if (column >= columns) return;
    float* s = moisture + (size_t)column * layers;
    float scale = conductance[column], top = rain[column];
    float inverse = 1.0f / spacing, gain = dt * inverse;
    for (int step = 0; step < steps; ++step) {
        float from_above = top, here = s[0], k_here = conductivity(scale, here);
        for (int k = 0; k + 1 < layers; ++k) {
            float below = s[k + 1], k_below = conductivity(scale, below);
            float down = 0.5f * (k_here + k_below) * ((here - below) * inverse + 1.0f);
            s[k] = here + gain * (from_above - down);
            from_above = down;
            here = below;
            k_here = k_below;
        }
        s[layers - 1] = here + gain * (from_above - k_here);
    }
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    flow<<<(columns - 1) / kThreads + 1, kThreads>>>(columns, layers, steps, dt, spacing, rain, conductance, moisture);
}
