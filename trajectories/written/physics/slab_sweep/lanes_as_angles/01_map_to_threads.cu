// Slab transport: one thread per slab.
#include <cuda_runtime.h>

__global__ void sweep_slabs(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                            const float* sigma, const float* source, const float* left, const float* right,
                            float* flux, float* leak) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    const float* absorb = sigma + (size_t)b * cells;
    const float* emit = source + (size_t)b * cells;
    float* phi = flux + (size_t)b * cells;
    for (int i = 0; i < cells; ++i) phi[i] = 0.0f;
    for (int a = 0; a < angles; ++a) {
        float c = 2.0f * mu[a] / dx, out = 0.0f;
        for (int sense = 0; sense < 2; ++sense) {
            float psi = sense == 0 ? left[(size_t)b * angles + a] : right[(size_t)b * angles + a];
            for (int k = 0; k < cells; ++k) {
                int i = sense == 0 ? k : cells - 1 - k;
                float mid = (emit[i] + c * psi) / (absorb[i] + c);
                psi = 2.0f * mid - psi;
                phi[i] += weight[a] * mid;
            }
            out += psi;
        }
        leak[(size_t)b * angles + a] = out;
    }
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    const int threads = 64;
    sweep_slabs<<<(batch - 1) / threads + 1, threads>>>(batch, cells, angles, dx, mu, weight, sigma, source, left,
                                                        right, flux, leak);
}
