// Correlations: tiles of 64 x 64, sixteen products a thread in registers from eight values read.
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
    if (blockIdx.x < blockIdx.y) return;
    __shared__ float a[16][65], b[16][65];
    const int left = blockIdx.x * 64, top = blockIdx.y * 64, x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    float sum[4][4] = {};
    for (int from = 0; from < samples; from += 16) {
        for (int e = t; e < 64 * 16; e += 256) {
            const int r = e / 16, s = e % 16;
            a[s][r] = top + r < genes && from + s < samples ? unit[(size_t)(top + r) * samples + from + s] : 0;
            b[s][r] = left + r < genes && from + s < samples ? unit[(size_t)(left + r) * samples + from + s] : 0;
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            float p[4], q[4];
#pragma unroll
            for (int i = 0; i < 4; ++i) p[i] = a[k][y + 16 * i], q[i] = b[k][x + 16 * i];
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += p[i] * q[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) {
            const int r = top + y + 16 * i, c = left + x + 16 * j;
            if (r >= genes || c >= genes) continue;
            correlation[(size_t)r * genes + c] = sum[i][j];
            if (left != top) correlation[(size_t)c * genes + r] = sum[i][j];
        }
}

extern "C" void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest) {
    float* unit = nullptr;
    cudaMallocAsync(&unit, sizeof(float) * (size_t)genes * samples, 0);
    level<<<(genes + 3) / 4, 128>>>(genes, samples, expression, unit);
    correlate<<<dim3((genes + 63) / 64, (genes + 63) / 64), dim3(16, 16)>>>(genes, samples, unit, correlation);
    strongest_of<<<(genes + 3) / 4, 128>>>(genes, correlation, strongest);
    cudaFreeAsync(unit, 0);
}
