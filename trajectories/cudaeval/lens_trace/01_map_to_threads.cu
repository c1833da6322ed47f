// Lenses: one ray a thread, changed in device memory at every surface, an atomic each for the light.
#include <cuda_runtime.h>

struct Surface { float gap, power, index, stop; };
struct Ray { float y, s, l; };

__global__ void trace(int rays, int surfaces, const Surface* surface, Ray* ray, float* light, double* through) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rays) return;
    float before = 1;
    light[r] = 1;
    for (int k = 0; k < surfaces; ++k) {
        ray[r].y += ray[r].s * surface[k].gap;
        ray[r].l += surface[k].gap * (1 + ray[r].s * ray[r].s / 2) * before;
        light[r] *= fmaxf(0.0f, 1 - ray[r].y * ray[r].y / (surface[k].stop * surface[k].stop));
        ray[r].s = (ray[r].s * before - ray[r].y * surface[k].power) / surface[k].index;
        before = surface[k].index;
    }
    atomicAdd(through, (double)light[r]);
}

extern "C" void lens_trace(int rays, int surfaces, const Surface* surface, Ray* ray, float* light, double* through) {
    cudaMemsetAsync(through, 0, sizeof(double));
    trace<<<(rays + 255) / 256, 256>>>(rays, surfaces, surface, ray, light, through);
}
