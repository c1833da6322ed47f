// Soil columns: a thread for each column, the columns of a block in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 64;  // threads and columns of a block

__device__ float conductivity(float scale, float s) { return scale * s * s * s; }

// All steps of one column.
__device__ void advance(int layers, int steps, float dt, float spacing, float top, float scale, float* s) {
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

__global__ void flow(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                     const float* conductance, float* moisture) {
    extern __shared__ float tile[];
    int first = blockIdx.x * kThreads;
    int count = min(kThreads, columns - first);
    float* stretch = moisture + (size_t)first * layers;  // the block's columns lie one behind the other
    for (int t = threadIdx.x; t < count * layers; t += kThreads) tile[t] = stretch[t];
    __syncthreads();
    if (threadIdx.x < count) {
        int column = first + threadIdx.x;
        advance(layers, steps, dt, spacing, rain[column], conductance[column], tile + threadIdx.x * layers);
    }
    __syncthreads();
    for (int t = threadIdx.x; t < count * layers; t += kThreads) stretch[t] = tile[t];
}

extern "C" void soil_columns(int columns, int layers, int steps, float dt, float spacing, const float* rain,
                             const float* conductance, float* moisture) {
    size_t bytes = kThreads * layers * sizeof(float);
    flow<<<(columns - 1) / kThreads + 1, kThreads, bytes>>>(columns, layers, steps, dt, spacing, rain, conductance,
                                                            moisture);
}
