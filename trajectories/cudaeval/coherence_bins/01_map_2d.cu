// Coherence: one bin of one pair a thread, pairs along y. Neighbouring threads read neighbouring bins.
#include <cuda_runtime.h>

__global__ void estimate(int segments, int bins, const float2* __restrict__ left, const float2* __restrict__ right, float2* __restrict__ cross,
                         float* __restrict__ coherence) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= bins) return;
    double re = 0.0, im = 0.0, power_left = 0.0, power_right = 0.0;
#pragma unroll 4
    for (int s = 0; s < segments; ++s) {
        const size_t at = ((size_t)blockIdx.y * segments + s) * bins + k;
        const float2 one = left[at], other = right[at];
        const double a = one.x, b = one.y, c = other.x, d = other.y;
        re += a * c + b * d;
        im += a * d - b * c;
        power_left += a * a + b * b;
        power_right += c * c + d * d;
    }
    const size_t bin = (size_t)blockIdx.y * bins + k;
    cross[bin] = make_float2((float)(re / segments), (float)(im / segments));
    const double product = power_left * power_right;
    coherence[bin] = product > 0.0 ? (float)((re * re + im * im) / product) : 0.0f;
}

extern "C" void coherence_bins(int pairs, int segments, int bins, const float* left, const float* right, float* cross, float* coherence) {
    estimate<<<dim3((bins + 127) / 128, pairs), 128>>>(segments, bins, (const float2*)left, (const float2*)right, (float2*)cross, coherence);
}
