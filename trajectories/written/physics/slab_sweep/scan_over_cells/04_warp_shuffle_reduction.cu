// Slab transport: one block per slab, four cells per thread, maps scanned by warp shuffles.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kEach = 4;  // consecutive cells per thread

struct Map {
    float gain, bias;  // psi -> gain * psi + bias
};

__device__ Map after(Map second, Map first) {
    return {first.gain * second.gain, first.bias * second.gain + second.bias};
}

constexpr int kWarps = kThreads / 32;

__device__ Map from_below(Map map, int distance) {
    return {__shfl_up_sync(0xFFFFFFFFu, map.gain, distance), __shfl_up_sync(0xFFFFFFFFu, map.bias, distance)};
}

// The composition of the maps of all threads before this one; `all` becomes that of the whole block.
__device__ Map scanned(Map mine, Map* totals, Map& all) {
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        Map below = from_below(mine, distance);
        if (lane >= distance) mine = after(mine, below);
    }
    Map before = from_below(mine, 1);
    if (lane == 0) before = Map{1.0f, 0.0f};
    if (lane == 31) totals[warp] = mine;
    __syncthreads();
    Map ahead{1.0f, 0.0f};
    all = ahead;
    for (int w = 0; w < kWarps; ++w) {
        if (w == warp) ahead = all;
        all = after(totals[w], all);
    }
    return after(before, ahead);
}

__global__ void sweep_slabs(int cells, int angles, float dx, const float* mu, const float* weight, const float* sigma,
                            const float* source, const float* left, const float* right, float* flux, float* leak) {
    __shared__ Map totals[kWarps];
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
                Map all;
                Map before = scanned(mine, totals, all);
                float here = before.gain * psi + before.bias;
#pragma unroll
                for (int e = 0; e < kEach; ++e) {
                    int k = k0 + t * kEach + e, i = sense == 0 ? k : cells - 1 - k;
                    if (k >= cells) continue;
                    float share = weight[a] * r[e] * (emitted[e] + c * here);
                    here = (2.0f * c * r[e] - 1.0f) * here + 2.0f * r[e] * emitted[e];
                    phi[i] = a == 0 && sense == 0 ? share : phi[i] + share;
                }
                psi = all.gain * psi + all.bias;
                __syncthreads();  // totals are overwritten in the next round; cell i is met by another thread
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
