#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// slab_sweep: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// thread_coarsening(points 2) [nest 1]: several points a thread.
//
// The nest at line 13 of the reference runs in one thread: atomic updates of 'flux' would not give the same result
// every time.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void slab_sweep_1_map(int cells, float* flux, int b) {
#pragma unroll
    for (int part = 0; part < 2; ++part) {
        const int i = blockIdx.x * 512 + threadIdx.x + part * 256;
        if (i < cells) {
            flux[(unsigned long long)b * cells + i] = 0.0f;
        }
    }
}

__global__ void slab_sweep_2_scalars(float dx, const float* mu, float* c, float* out, int a) {
    c[0] = 2.0f * mu[a] / dx;
    out[0] = 0.0f;
}

__global__ void slab_sweep_3_serial(int batch, int cells, int angles, const float* weight, const float* sigma,
                                    const float* source, const float* left, const float* right, float* flux,
                                    const float* c, float* out, int b, int a) {
    float psi;
    if (a >= 0 && a < angles && b >= 0 && b < batch) {
        for (int sense = 0; sense <= 1; ++sense) {
            psi = sense == 0 ? left[(unsigned long long)b * angles + a] : right[(unsigned long long)b * angles + a];
            for (int k = 0; k < cells; ++k) {
                const int i_2 = sense == 0 ? k : cells - 1 - k;
                const float mid = (source[(unsigned long long)b * cells + i_2] + c[0] * psi) /
                                  (sigma[(unsigned long long)b * cells + i_2] + c[0]);
                psi = 2.0f * mid - psi;
                flux[(unsigned long long)b * cells + i_2] += weight[a] * mid;
            }
            out[0] += psi;
        }
    }
}

__global__ void slab_sweep_4_scalars(int angles, float* leak, float* out, int b, int a) {
    leak[(unsigned long long)b * angles + a] = out[0];
}

extern "C" void slab_sweep(int batch, int cells, int angles, float dx, const float* mu, const float* weight,
                           const float* sigma, const float* source, const float* left, const float* right, float* flux,
                           float* leak) {
    float* c = nullptr;
    float* out = nullptr;
    if (cudaMalloc(&c, sizeof(float)) == cudaSuccess && cudaMalloc(&out, sizeof(float)) == cudaSuccess) {
        for (int b = 0; b < batch; ++b) {
            if (b >= 0 && b < batch && cells >= 1) {
                slab_sweep_1_map<<<(cells - 1) / 512 + 1, 256>>>(cells, flux, b);
            }
            for (int a = 0; a < angles; ++a) {
                slab_sweep_2_scalars<<<1, 1>>>(dx, mu, c, out, a);
                slab_sweep_3_serial<<<1, 1>>>(batch, cells, angles, weight, sigma, source, left, right, flux, c, out, b,
                                              a);
                slab_sweep_4_scalars<<<1, 1>>>(angles, leak, out, b, a);
            }
        }
    }
    cudaFree(c);
    cudaFree(out);
}