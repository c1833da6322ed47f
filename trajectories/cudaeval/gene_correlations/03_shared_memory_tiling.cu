// Correlations: tiles of 32 x 32 from both rows' ends meet in shared memory.
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

__global__ void correlate(int genes, int samples, const float* __restrict__ unit, float* __restrict__ correlation) {
    __shared__ float a[32][33], b[32][33];
    const int j = blockIdx.x * 32 + threadIdx.x, top = blockIdx.y * 32;
    float sum[4] = {};
    for (int from = 0; from < samples; from += 32) {
        const int s = from + threadIdx.x;
        for (int r = threadIdx.y; r < 32; r += 8) {
            a[r][threadIdx.x] = top + r < genes && s < samples ? unit[(size_t)(top + r) * samples + s] : 0;
            b[r][threadIdx.x] = blockIdx.x * 32 + r < genes && s < samples ? unit[(size_t)(blockIdx.x * 32 + r) * samples + s] : 0;
        }
        __syncthreads();
        for (int k = 0; k < 32; ++k)
#pragma unroll
            for (int q = 0; q < 4; ++q) sum[q] += a[threadIdx.y + 8 * q][k] * b[threadIdx.x][k];
        __syncthreads();
    }
    for (int q = 0; q < 4; ++q) {
        const int i = top + threadIdx.y + 8 * q;
        if (i < genes && j < genes) correlation[(size_t)i * genes + j] = sum[q];
    }
}

extern "C" void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest) {
    float* unit = nullptr;
    cudaMallocAsync(&unit, sizeof(float) * (size_t)genes * samples, 0);
    level<<<(genes + 3) / 4, 128>>>(genes, samples, expression, unit);
    correlate<<<dim3((genes + 31) / 32, (genes + 31) / 32), dim3(32, 8)>>>(genes, samples, unit, correlation);
    strongest_of<<<(genes + 3) / 4, 128>>>(genes, correlation, strongest);
    cudaFreeAsync(unit, 0);
}
