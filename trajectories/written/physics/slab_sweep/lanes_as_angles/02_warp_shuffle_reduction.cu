// Slab transport: one warp per slab, one angle per lane, flux summed over lanes by shuffles.
#include <cuda_runtime.h>

constexpr int kWarps = 4;  // slabs per block

__device__ float warp_sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, distance);
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
    for (int first = 0; first < angles; first += 32) {
        const int a = first + lane;
        const bool used = a < angles;
        const size_t edge = (size_t)b * angles + a;
        float c = used ? 2.0f * mu[a] / dx : 1.0f, share = used ? weight[a] : 0.0f, out = 0.0f;
        for (int sense = 0; sense < 2; ++sense) {
            float psi = !used ? 0.0f : sense == 0 ? left[edge] : right[edge];
            const bool fresh = first == 0 && sense == 0;  // nothing in the flux yet
            for (int k = 0; k < cells; ++k) {
                int i = sense == 0 ? k : cells - 1 - k;
                float mid = (emit[i] + c * psi) / (absorb[i] + c);
                psi = 2.0f * mid - psi;
                float sum = warp_sum(share * mid);
                if (lane == 0) phi[i] = fresh ? sum : phi[i] + sum;
            }
            out += psi;
        }
        if (used) leak[edge] = out;
    }
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    sweep_slabs<<<(batch - 1) / kWarps + 1, dim3(32, kWarps)>>>(batch, cells, angles, dx, mu, weight, sigma, source,
                                                                left, right, flux, leak);
}
