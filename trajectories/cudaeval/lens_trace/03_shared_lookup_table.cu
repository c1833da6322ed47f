// Lenses: surfaces lie in shared memory with the reciprocals that rays need, so that no ray divides.
#include <cuda_runtime.h>

struct Surface { float gap, power, index, stop; };
struct Ray { float y, s, l; };

__device__ void add_up(double own, double* total) {
    __shared__ double part[8];
    for (int apart = 16; apart > 0; apart /= 2) own += __shfl_xor_sync(0xffffffffu, own, apart);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = own;
    __syncthreads();
    if (threadIdx.x) return;
    for (int w = 1; w < 8; ++w) own += part[w];
    atomicAdd(total, own);
}

constexpr int kMost = 256;

__global__ void trace(int rays, int surfaces, const Surface* __restrict__ surface, Ray* __restrict__ ray, float* __restrict__ light, double* through) {
    __shared__ float4 own[kMost];  // gap, power / index behind, 1 / index behind, 1 / stop^2
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    Ray now = r < rays ? ray[r] : Ray{0, 0, 0};
    float before = 1, left = 1;
    for (int from = 0; from < surfaces; from += kMost) {
        const int count = min(kMost, surfaces - from);
        __syncthreads();
        if (threadIdx.x < count) {
            const Surface here = surface[from + threadIdx.x];
            own[threadIdx.x] = make_float4(here.gap, here.power / here.index, 1 / here.index, 1 / (here.stop * here.stop));
        }
        __syncthreads();
        for (int k = 0; k < count; ++k) {
            const float4 here = own[k];
            now.y += now.s * here.x;
            now.l += here.x * (1 + now.s * now.s * 0.5f) * before;
            left *= fmaxf(0.0f, 1 - now.y * now.y * here.w);
            now.s = now.s * before * here.z - now.y * here.y;
            before = surface[from + k].index;
        }
    }
    if (r < rays) {
        ray[r] = now;
        light[r] = left;
    }
    add_up(r < rays ? left : 0.0f, through);
}

extern "C" void lens_trace(int rays, int surfaces, const Surface* surface, Ray* ray, float* light, double* through) {
    cudaMemsetAsync(through, 0, sizeof(double));
    trace<<<(rays + 255) / 256, 256>>>(rays, surfaces, surface, ray, light, through);
}
