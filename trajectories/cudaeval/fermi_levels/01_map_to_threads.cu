// Fermi levels: one system a thread.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void bisect(int systems, int levels, const float* energy, const int* electrons, const float* heat, float* potential,
                       float* total) {
    const int s = blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= systems) return;
    const float* own = energy + (size_t)s * levels;
    double low = own[0], high = own[0], sum = 0.0;
    for (int i = 1; i < levels; ++i) {
        low = fmin(low, (double)own[i]);
        high = fmax(high, (double)own[i]);
    }
    low -= 40.0 * heat[s];
    high += 40.0 * heat[s];
    while (high - low > 1e-7) {
        const double middle = 0.5 * (low + high);
        double held = 0.0;
        for (int i = 0; i < levels; ++i) held += 2.0 / (1.0 + exp((own[i] - middle) / heat[s]));
        (held < electrons[s] ? low : high) = middle;
    }
    for (int i = 0; i < levels; ++i) sum += 2.0 * own[i] / (1.0 + exp((own[i] - high) / heat[s]));
    potential[s] = (float)high;
    total[s] = (float)sum;
}

extern "C" void fermi_levels(int systems, int levels, const float* energy, const int* electrons, const float* heat, float* potential,
                             float* total) {
    bisect<<<(systems + 63) / 64, 64>>>(systems, levels, energy, electrons, heat, potential, total);
}
