// Lenses: a block's rays, three floats each, come and go through shared memory in order; reciprocals of the indices are taken once.
#include <cuda_runtime.h>

struct Surface { float gap, power, index, stop; };
struct Ray { float y, s, l; };

constexpr int kMost = 256;

__global__ void trace(int rays, int surfaces, const Surface* __restrict__ surface, float* __restrict__ ray, int* __restrict__ blocked, int* through) {
    __shared__ float tile[3 * 256], share[kMost];
    __shared__ Surface own[kMost];
    const int first = blockIdx.x * 256, r = first + threadIdx.x, floats = 3 * min(256, rays - first);
    if (threadIdx.x < surfaces) {
        own[threadIdx.x] = surface[threadIdx.x];
        share[threadIdx.x] = 1 / surface[threadIdx.x].index;
    }
    for (int i = threadIdx.x; i < floats; i += 256) tile[i] = ray[3ull * first + i];
    __syncthreads();
    int end = -1;
    if (r < rays) {
        float y = tile[3 * threadIdx.x], s = tile[3 * threadIdx.x + 1], l = tile[3 * threadIdx.x + 2], before = 1;
        end = 0;
        for (int k = 0; k < surfaces; ++k) {
            const Surface here = k < kMost ? own[k] : surface[k];
            y += s * here.gap;
            l += here.gap * (1 + s * s / 2) * before;
            if (fabsf(y) > here.stop) {
                end = k + 1;
                break;
            }
            s = (s * before - y * here.power) * (k < kMost ? share[k] : 1 / here.index);
            before = here.index;
        }
        tile[3 * threadIdx.x] = y;
        tile[3 * threadIdx.x + 1] = s;
        tile[3 * threadIdx.x + 2] = l;
        blocked[r] = end;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < floats; i += 256) ray[3ull * first + i] = tile[i];
    const unsigned votes = __ballot_sync(0xffffffffu, end == 0);
    if (threadIdx.x % 32 == 0 && votes) atomicAdd(through, __popc(votes));
}

extern "C" void lens_trace(int rays, int surfaces, const Surface* surface, Ray* ray, int* blocked, int* through) {
    cudaMemsetAsync(through, 0, sizeof(int));
    trace<<<(rays + 255) / 256, 256>>>(rays, surfaces, surface, reinterpret_cast<float*>(ray), blocked, through);
}
