// Slab transport: one warp per slab; 16 lanes carry angles upwards while 16 carry them downwards.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // slabs per block

__device__ float half_warp_sum(float value) {
    for (int distance = 8; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
    return value;
}

__global__ void sweep_slabs(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                            const float* sigma, const float* source, const float* left, const float* right,
                            float* flux, float* leak) {
    const int b = blockIdx.x * kWarps + threadIdx.y, lane = threadIdx.x;
    if (b >= batch) return;
    const float* absorb = sigma + (size_t)b * cells;
    const float* emit = source + (size_t)b * cells;
    float* phi = flux + (size_t)b * cells;
    const int sense = lane / 16;
    for (int first = 0; first < angles; first += 16) {
        const int a = first + lane % 16;
        const bool used = a < angles;
        const size_t edge = (size_t)b * angles + a;
        float c = used ? 2.0f * mu[a] / dx : 1.0f, share = used ? weight[a] : 0.0f;
        float psi = !used ? 0.0f : sense == 0 ? left[edge] : right[edge];
        for (int k = 0; k < cells; ++k) {
            int i = sense == 0 ? k : cells - 1 - k;
            float mid = (emit[i] + c * psi) / (absorb[i] + c);
            psi = 2.0f * mid - psi;
            float sum = half_warp_sum(share * mid);
            // Before the middle, this round's cell has not been met by the other half warp.
            const bool fresh = first == 0 && 2 * k < cells - 1 + (sense == 0 ? 1 : 0);
            if (lane == 0) phi[i] = fresh ? sum : phi[i] + sum;
            __syncwarp();
            if (lane == 16) phi[i] = fresh ? sum : phi[i] + sum;
            __syncwarp();
        }
        float other = __shfl_down_sync(0xFFFFFFFFu, psi, 16);
        if (used && sense == 0) leak[edge] = psi + other;
    }
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    sweep_slabs<<<(batch - 1) / kWarps + 1, dim3(32, kWarps)>>>(batch, cells, angles, dx, mu, weight, sigma, source,
                                                                left, right, flux, leak);
}
