// Soil columns: a thread for each column.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__device__ float conductivity(float scale, float s) { return scale * s * s * s; }

__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    int column = blockIdx.x * kThreads + threadIdx.x;
    if (column >= columns) return;
    float* s = moisture + (size_t)column * layers;
    for (int step = 0; step < steps; ++step) {
        float from_above = rain[column];
        for (int k = 0; k < layers; ++k) {
            float scale = conductance[column];
            float down = conductivity(scale, s[k]);
            if (k + 1 < layers) {
                float mean = 0.5f * (conductivity(scale, s[k]) + conductivity(scale, s[k + 1]));
                down = mean * ((s[k] - s[k + 1]) / spacing + 1.0f);
            }
            s[k] += dt / spacing * (from_above - down);
            from_above = down;
        }
    }
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    flow<<<(columns - 1) / kThreads + 1, kThreads>>>(columns, layers, steps, dt, spacing, rain, conductance, moisture);
}
