// Background: a warp counts its changed pixels by a vote, before one of its lanes adds them up.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void settle(int frames, int pixels, int limit, const uint8_t* stack, uint8_t* background, uint8_t* front, int* changed) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    bool differs = false;
    if (p < pixels) {
        int sorted[31];
        for (int f = 0; f < frames; ++f) {
            const int value = stack[(size_t)f * pixels + p];
            int at = f;
            for (; at > 0 && sorted[at - 1] > value; --at) sorted[at] = sorted[at - 1];
            sorted[at] = value;
        }
        const int middle = sorted[frames / 2];
        differs = abs(stack[(size_t)(frames - 1) * pixels + p] - middle) > limit;
        background[p] = middle;
        front[p] = differs ? 255 : 0;
    }
    const unsigned all = __ballot_sync(0xffffffffu, differs);
    if (threadIdx.x % 32 == 0 && all) atomicAdd(changed, __popc(all));
}

extern "C" void background_median(int frames, int pixels, int32_t limit, const uint8_t* stack, uint8_t* background, uint8_t* front, int32_t* changed) {
    cudaMemsetAsync(changed, 0, sizeof(int32_t));
    settle<<<(pixels + 255) / 256, 256>>>(frames, pixels, limit, stack, background, front, changed);
}
