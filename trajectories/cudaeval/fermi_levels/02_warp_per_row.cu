// Fermi levels: a warp has a system; its lanes share the levels and agree on each half.
#include <cuda_runtime.h>

#include <cstddef>

__device__ double warp_sum(double value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void bisect(int systems, int levels, const float* __restrict__ energy, const int* __restrict__ electrons,
                       const float* __restrict__ heat, float* __restrict__ potential, float* __restrict__ total) {
    const int s = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (s >= systems) return;
    const float* own = energy + (size_t)s * levels;
    float least = own[0], most = own[0];
    for (int i = lane; i < levels; i += 32) {
        least = fminf(least, own[i]);
        most = fmaxf(most, own[i]);
    }
    for (int apart = 16; apart > 0; apart /= 2) {
        least = fminf(least, __shfl_xor_sync(0xffffffffu, least, apart));
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, apart));
    }
    const double warmth = heat[s];
    double low = least - 40.0 * warmth, high = most + 40.0 * warmth, sum = 0.0;
    while (high - low > 1e-7) {
        const double middle = 0.5 * (low + high);
        double held = 0.0;
        for (int i = lane; i < levels; i += 32) held += 2.0 / (1.0 + exp((own[i] - middle) / warmth));
        (warp_sum(held) < electrons[s] ? low : high) = middle;
    }
    for (int i = lane; i < levels; i += 32) sum += 2.0 * own[i] / (1.0 + exp((own[i] - high) / warmth));
    sum = warp_sum(sum);
    if (lane != 0) return;
    potential[s] = (float)high;
    total[s] = (float)sum;
}

extern "C" void fermi_levels(int systems, int levels, const float* energy, const int* electrons, const float* heat, float* potential,
                             float* total) {
    bisect<<<(systems + 3) / 4, 128>>>(systems, levels, energy, electrons, heat, potential, total);
}
