// Slab transport: mids of 16 cells are parked in shared memory and summed with one lane per cell.
#include <cuda_runtime.h>

constexpr int kWarps = 4;   // slabs per block
constexpr int kChunk = 16;  // cells between two summations
constexpr unsigned int kAll = 0xFFFFFFFFu;

__global__ void sweep_slabs(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                            const float* sigma, const float* source, const float* left, const float* right,
                            float* flux, float* leak) {
    __shared__ float parked[kWarps][32][kChunk + 1];
    const int b = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (b >= batch) return;
    float(*mids)[kChunk + 1] = parked[threadIdx.y];
    const float* absorb = sigma + (size_t)b * cells;
    const float* emit = source + (size_t)b * cells;
    float* phi = flux + (size_t)b * cells;
    for (int i = lane; i < cells; i += 32) phi[i] = 0.0f;
    __syncwarp();
    const int sense = lane / 16;
    for (int first = 0; first < angles; first += 16) {
        const int a = first + lane % 16;
        const bool used = a < angles;
        const size_t edge = (size_t)b * angles + a;
        float c = used ? 2.0f * mu[a] / dx : 1.0f, share = used ? weight[a] : 0.0f;
        float psi = !used ? 0.0f : sense == 0 ? left[edge] : right[edge];
        for (int k0 = 0; k0 < cells; k0 += kChunk) {
            const int chunk = min(kChunk, cells - k0);
            for (int k = 0; k < chunk; ++k) {
                int i = sense == 0 ? k0 + k : cells - 1 - k0 - k;
                float r = 1.0f / (absorb[i] + c), emitted = emit[i];
                mids[lane][k] = share * (r * (emitted + c * psi));
                psi = (2.0f * c * r - 1.0f) * psi + 2.0f * r * emitted;
            }
            __syncwarp();
            // Lane k of each half sums the angles of that half's cell k. The halves may meet: one after the other.
            const int k = lane % 16;
            float sum = 0.0f;
            if (k < chunk)
                for (int row = 0; row < 16; ++row) sum += mids[16 * sense + row][k];
            int i = sense == 0 ? k0 + k : cells - 1 - k0 - k;
            if (sense == 0 && k < chunk) phi[i] += sum;
            __syncwarp();
            if (sense == 1 && k < chunk) phi[i] += sum;
            __syncwarp();
        }
        float other = __shfl_down_sync(kAll, psi, 16);
        if (used && sense == 0) leak[edge] = psi + other;
    }
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    sweep_slabs<<<(batch - 1) / kWarps + 1, dim3(32, kWarps)>>>(batch, cells, angles, dx, mu, weight, sigma, source,
                                                                left, right, flux, leak);
}
