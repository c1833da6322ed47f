// Background: nothing is sorted; the median is found bit by bit from the top, with columns of bits of all frames in eight registers.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void settle(int frames, int pixels, int limit, const uint8_t* __restrict__ stack, uint8_t* __restrict__ background, uint8_t* __restrict__ front,
                       int* changed) {
    const int p = blockIdx.x * blockDim.x + threadIdx.x;
    bool differs = false;
    if (p < pixels) {
        uint32_t column[8] = {};
        int newest = 0;
        for (int f = 0; f < frames; ++f) {
            newest = stack[(size_t)f * pixels + p];
#pragma unroll
            for (int b = 0; b < 8; ++b) column[b] |= (uint32_t)(newest >> b & 1) << f;
        }
        uint32_t alive = (1u << frames) - 1;
        int rank = frames / 2, middle = 0;
#pragma unroll
        for (int b = 7; b >= 0; --b) {
            const uint32_t clear = alive & ~column[b];
            const int below = __popc(clear);
            const bool up = rank >= below;
            middle |= (int)up << b;
            rank -= up ? below : 0;
            alive = up ? alive & column[b] : clear;
        }
        differs = abs(newest - middle) > limit;
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
