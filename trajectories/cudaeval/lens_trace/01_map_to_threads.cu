// Lenses: one ray a thread, changed in device memory at every surface.
#include <cuda_runtime.h>

struct Surface { float gap, power, index, stop; };
struct Ray { float y, s, l; };

__global__ void trace(int rays, int surfaces, const Surface* surface, Ray* ray, int* blocked, int* through) {
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= rays) return;
    float before = 1;
    blocked[r] = 0;
    for (int k = 0; k < surfaces; ++k) {
        ray[r].y += ray[r].s * surface[k].gap;
        ray[r].l += surface[k].gap * (1 + ray[r].s * ray[r].s / 2) * before;
        if (fabsf(ray[r].y) > surface[k].stop) {
            blocked[r] = k + 1;
            return;
        }
        ray[r].s = (ray[r].s * before - ray[r].y * surface[k].power) / surface[k].index;
        before = surface[k].index;
    }
    atomicAdd(through, 1);
}

extern "C" void lens_trace(int rays, int surfaces, const Surface* surface, Ray* ray, int* blocked, int* through) {
    cudaMemsetAsync(through, 0, sizeof(int));
    trace<<<(rays + 255) / 256, 256>>>(rays, surfaces, surface, ray, blocked, through);
}
