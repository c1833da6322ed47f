// Slab transport: one block per slab, four cells per thread, a scan of the threads' composed maps.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kEach = 4;  // consecutive cells per thread

struct Map {
    float gain, bias;  // psi -> gain * psi + bias
};

__device__ Map after(Map second, Map first) {
    return {first.gain * second.gain, first.bias * second.gain + second.bias};
}

// The composition of the maps of threads 0 to t.
__device__ Map scanned(Map mine, Map* shared) {
    const int t = threadIdx.x;
    shared[t] = mine;
    __syncthreads();
    for (int distance = 1; distance < kThreads; distance *= 2) {
        Map before = t >= distance ? shared[t - distance] : Map{1.0f, 0.0f};
        __syncthreads();
        mine = after(mine, before);
        shared[t] = mine;
        __syncthreads();
    }
    return mine;
}

__global__ void sweep_slabs(int cells, int angles, float dx, const float* mu, const float* weight, const float* sigma,
                            const float* source, const float* left, const float* right, float* flux, float* leak) {
    __shared__ Map maps[kThreads];
    const int b = blockIdx.x, t = threadIdx.x;
    const float* absorb = sigma + (size_t)b * cells;
    const float* emit = source + (size_t)b * cells;
    float* phi = flux + (size_t)b * cells;
    for (int a = 0; a < angles; ++a) {
        const size_t edge = (size_t)b * angles + a;
        const float c = 2.0f * mu[a] / dx;
        float out = 0.0f;
        for (int sense = 0; sense < 2; ++sense) {
            float psi = sense == 0 ? left[edge] : right[edge];  // where the round starts
            for (int k0 = 0; k0 < cells; k0 += kThreads * kEach) {
                float r[kEach], emitted[kEach];
                Map mine{1.0f, 0.0f};
#pragma unroll
                for (int e = 0; e < kEach; ++e) {
                    int k = k0 + t * kEach + e, i = sense == 0 ? k : cells - 1 - k;
                    if (k >= cells) continue;
                    r[e] = 1.0f / (absorb[i] + c);
                    emitted[e] = emit[i];
                    mine = after(Map{2.0f * c * r[e] - 1.0f, 2.0f * r[e] * emitted[e]}, mine);
                }
                scanned(mine, maps);
                Map before = t > 0 ? maps[t - 1] : Map{1.0f, 0.0f};
                float here = before.gain * psi + before.bias;
#pragma unroll
                for (int e = 0; e < kEach; ++e) {
                    int k = k0 + t * kEach + e, i = sense == 0 ? k : cells - 1 - k;
                    if (k >= cells) continue;
                    float share = weight[a] * r[e] * (emitted[e] + c * here);
                    here = (2.0f * c * r[e] - 1.0f) * here + 2.0f * r[e] * emitted[e];
                    phi[i] = a == 0 && sense == 0 ? share : phi[i] + share;
                }
                Map all = maps[kThreads - 1];
                psi = all.gain * psi + all.bias;
                __syncthreads();  // maps are overwritten in the next round; cell i is met by another thread
            }
            out += psi;
        }
        if (t == 0) leak[edge] = out;
    }
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    sweep_slabs<<<batch, kThreads>>>(cells, angles, dx, mu, weight, sigma, source, left, right, flux, leak);
}
