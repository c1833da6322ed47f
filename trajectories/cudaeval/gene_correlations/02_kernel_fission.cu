// Correlations: rows are levelled and scaled once; a pair is a product of two rows.
#include <cuda_runtime.h>

__global__ void level(int genes, int samples, const float* expression, float* unit) {
    const int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= genes) return;
    const float* row = expression + (size_t)g * samples;
    float sum = 0, square = 0;
    for (int s = lane; s < samples; s += 32) sum += row[s];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    const float mean = sum / samples;
    for (int s = lane; s < samples; s += 32) square += (row[s] - mean) * (row[s] - mean);
    for (int apart = 16; apart > 0; apart /= 2) square += __shfl_xor_sync(0xffffffffu, square, apart);
    const float share = rsqrtf(square + 0.01f);
    for (int s = lane; s < samples; s += 32) unit[(size_t)g * samples + s] = (row[s] - mean) * share;
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

__global__ void correlate(int genes, int samples, const float* unit, float* correlation) {
    const int j = blockIdx.x * 32 + threadIdx.x, i = blockIdx.y * 8 + threadIdx.y;
    if (i >= genes || j >= genes) return;
    float sum = 0;
    for (int s = 0; s < samples; ++s) sum += unit[(size_t)i * samples + s] * unit[(size_t)j * samples + s];
    correlation[(size_t)i * genes + j] = sum;
}

extern "C" void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest) {
    float* unit = nullptr;
    cudaMallocAsync(&unit, sizeof(float) * (size_t)genes * samples, 0);
    level<<<(genes + 3) / 4, 128>>>(genes, samples, expression, unit);
    correlate<<<dim3((genes + 31) / 32, (genes + 7) / 8), dim3(32, 8)>>>(genes, samples, unit, correlation);
    strongest_of<<<(genes + 3) / 4, 128>>>(genes, correlation, strongest);
    cudaFreeAsync(unit, 0);
}
