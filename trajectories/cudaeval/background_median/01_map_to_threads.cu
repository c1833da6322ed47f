// Background: one pixel a thread sorts its values by insertion.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void settle(int frames, int pixels, int limit, const uint8_t* stack, uint8_t* background, uint8_t* front, int* changed) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    if (p >= pixels) return;
    int sorted[31];
    for (int f = 0; f < frames; ++f) {
        const int value = stack[(size_t)f * pixels + p];
        int at = f;
        for (; at > 0 && sorted[at - 1] > value; --at) sorted[at] = sorted[at - 1];
        sorted[at] = value;
    }
    const int middle = sorted[frames / 2];
    const bool differs = abs(stack[(size_t)(frames - 1) * pixels + p] - middle) > limit;
    background[p] = middle;
    front[p] = differs ? 255 : 0;
    if (differs) atomicAdd(changed, 1);
}

extern "C" void background_median(int frames, int pixels, int32_t limit, const uint8_t* stack, uint8_t* background, uint8_t* front, int32_t* changed) {
    cudaMemsetAsync(changed, 0, sizeof(int32_t));
    settle<<<(pixels + 255) / 256, 256>>>(frames, pixels, limit, stack, background, front, changed);
}
