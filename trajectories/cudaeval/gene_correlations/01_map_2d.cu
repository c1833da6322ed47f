// Correlations: one pair a thread, which finds means and spreads anew.
#include <cuda_runtime.h>

__global__ void correlate(int genes, int samples, const float* expression, float* correlation) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= genes || j >= genes) return;
    const float *a = expression + (size_t)i * samples, *b = expression + (size_t)j * samples;
    float mean_a = 0, mean_b = 0, aa = 0, bb = 0, ab = 0;
    for (int s = 0; s < samples; ++s) mean_a += a[s], mean_b += b[s];
    mean_a /= samples, mean_b /= samples;
    for (int s = 0; s < samples; ++s) {
        const float u = a[s] - mean_a, v = b[s] - mean_b;
        aa += u * u, bb += v * v, ab += u * v;
    }
    correlation[(size_t)i * genes + j] = ab / sqrtf((aa + 0.01f) * (bb + 0.01f));
}

__global__ void strongest_of(int genes, const float* correlation, float* strongest) {
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (i >= genes) return;
    float best = 0;
    for (int j = lane; j < genes; j += 32)
        if (j != i) best = fmaxf(best, fabsf(correlation[(size_t)i * genes + j]));
    for (int apart = 16; apart > 0; apart /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, apart));
    if (lane == 0) strongest[i] = best;
}

extern "C" void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest) {
    correlate<<<dim3((genes + 31) / 32, (genes + 7) / 8), dim3(32, 8)>>>(genes, samples, expression, correlation);
    strongest_of<<<(genes + 3) / 4, 128>>>(genes, correlation, strongest);
}
