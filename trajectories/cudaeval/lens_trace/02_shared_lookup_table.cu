// Lenses: the surfaces lie in shared memory, the ray in registers; a warp votes on who passes.
#include <cuda_runtime.h>

struct Surface { float gap, power, index, stop; };
struct Ray { float y, s, l; };

constexpr int kMost = 256;

__global__ void trace(int rays, int surfaces, const Surface* __restrict__ surface, Ray* __restrict__ ray, int* __restrict__ blocked, int* through) {
    __shared__ Surface own[kMost];
    for (int k = threadIdx.x; k < min(surfaces, kMost); k += blockDim.x) own[k] = surface[k];
    __syncthreads();
    const int r = blockIdx.x * blockDim.x + threadIdx.x;
    int end = -1;
    if (r < rays) {
        Ray now = ray[r];
        float before = 1;
        end = 0;
        for (int k = 0; k < surfaces; ++k) {
            const Surface here = k < kMost ? own[k] : surface[k];
            now.y += now.s * here.gap;
            now.l += here.gap * (1 + now.s * now.s / 2) * before;
            if (fabsf(now.y) > here.stop) {
                end = k + 1;
                break;
            }
            now.s = (now.s * before - now.y * here.power) / here.index;
            before = here.index;
        }
        ray[r] = now;
        blocked[r] = end;
    }
    const unsigned votes = __ballot_sync(0xffffffffu, end == 0);
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(through, __popc(votes));
}

extern "C" void lens_trace(int rays, int surfaces, const Surface* surface, Ray* ray, int* blocked, int* through) {
    cudaMemsetAsync(through, 0, sizeof(int));
    trace<<<(rays + 255) / 256, 256>>>(rays, surfaces, surface, ray, blocked, through);
}
