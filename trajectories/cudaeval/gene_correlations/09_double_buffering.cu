// Correlations: the next samples are fetched while these are multiplied, and two buffers leave one barrier a tile.
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

__global__ void correlate(int genes, int samples, const float* __restrict__ unit, float* __restrict__ correlation, int* strongest) {
    if (blockIdx.x < blockIdx.y) return;
    __shared__ __align__(16) float a[2][16][68], b[2][16][68];
    __shared__ float turned[64][65];
    const int left = blockIdx.x * 64, top = blockIdx.y * 64, x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
    float sum[4][4] = {};
    float one[4], two[4];  // of the samples to come: on their way while these are multiplied
    const auto ask = [&](int from) {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int r = y + 16 * e, s = from + x;
            one[e] = top + r < genes && s < samples ? unit[(size_t)(top + r) * samples + s] : 0;
            two[e] = left + r < genes && s < samples ? unit[(size_t)(left + r) * samples + s] : 0;
        }
    };
    ask(0);
    for (int from = 0, now = 0; from < samples; from += 16, now ^= 1) {
#pragma unroll
        for (int e = 0; e < 4; ++e) a[now][x][y + 16 * e] = one[e], b[now][x][y + 16 * e] = two[e];
        __syncthreads();
        if (from + 16 < samples) ask(from + 16);
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float4 rows = *reinterpret_cast<const float4*>(&a[now][k][4 * y]), columns = *reinterpret_cast<const float4*>(&b[now][k][4 * x]);
            const float p[4] = {rows.x, rows.y, rows.z, rows.w}, q[4] = {columns.x, columns.y, columns.z, columns.w};
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int j = 0; j < 4; ++j) sum[i][j] += p[i] * q[j];
        }
    }
    float across[4] = {}, down[4] = {};
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            turned[4 * y + i][4 * x + j] = sum[i][j];
            const int r = top + 4 * y + i, c = left + 4 * x + j;
            if (r >= genes || c >= genes || r == c) continue;
            across[i] = fmaxf(across[i], fabsf(sum[i][j]));
            down[j] = fmaxf(down[j], fabsf(sum[i][j]));
        }
    __syncthreads();
    for (int e = t; e < 64 * 64; e += 256) {
        const int u = e / 64, v = e % 64;
        if (top + u < genes && left + v < genes) correlation[(size_t)(top + u) * genes + left + v] = turned[u][v];
        if (left != top && left + u < genes && top + v < genes) correlation[(size_t)(left + u) * genes + top + v] = turned[v][u];
    }
    for (int i = 0; i < 4; ++i) {
        for (int apart = 8; apart > 0; apart /= 2) across[i] = fmaxf(across[i], __shfl_xor_sync(0xffffffffu, across[i], apart));
        down[i] = fmaxf(down[i], __shfl_xor_sync(0xffffffffu, down[i], 16));
        const int r = top + 4 * y + i, c = left + 4 * x + i;
        if (x == 0 && r < genes) atomicMax(&strongest[r], __float_as_int(across[i]));
        if (left != top && y % 2 == 0 && c < genes) atomicMax(&strongest[c], __float_as_int(down[i]));
    }
}

extern "C" void gene_correlations(int genes, int samples, const float* expression, float* correlation, float* strongest) {
    float* unit = nullptr;
    cudaMallocAsync(&unit, sizeof(float) * (size_t)genes * samples, 0);
    level<<<(genes + 3) / 4, 128>>>(genes, samples, expression, unit);
    cudaMemsetAsync(strongest, 0, sizeof(float) * genes);
    correlate<<<dim3((genes + 63) / 64, (genes + 63) / 64), dim3(16, 16)>>>(genes, samples, unit, correlation, reinterpret_cast<int*>(strongest));
    cudaFreeAsync(unit, 0);
}
