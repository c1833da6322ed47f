// Layers: two bytes of a pixel are scaled in one product, sixteen bits apart.
#include <cuda_runtime.h>

#include <cstdint>

__device__ uint32_t scale_two(uint32_t pair, uint32_t by) {
    const uint32_t t = pair * by + 0x00800080u;
    return ((t + (t >> 8 & 0x00ff00ffu)) >> 8) & 0x00ff00ffu;
}

__device__ uint32_t add_two(uint32_t a, uint32_t b) {
    const uint32_t sum = a + b, over = sum & 0x01000100u;
    return (sum | (over - (over >> 8))) & 0x00ff00ffu;
}

__device__ uint32_t scale_each(uint32_t a, uint32_t b) {
    const uint32_t low = (a & 255) * (b & 255) + 128, high = (a >> 16) * (b >> 16) + 128;
    return (low + (low >> 8)) >> 8 | (high + (high >> 8)) >> 8 << 16;
}

__global__ void lay(int layers, int pixels, const int32_t* __restrict__ mode, const uint8_t* __restrict__ opacity, const uint32_t* __restrict__ stack,
                    uint32_t* __restrict__ picture) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    uint32_t even = 0, odd = 0;  // red and blue, green and alpha
    for (int l = 0; l < layers; ++l) {
        const uint32_t word = stack[(size_t)l * pixels + i];
        const uint32_t s_even = scale_two(word & 0x00ff00ffu, opacity[l]), s_odd = scale_two(word >> 8 & 0x00ff00ffu, opacity[l]);
        if (mode[l] == 2) {
            even = scale_each(s_even, even);
            odd = scale_each(s_odd, odd);
            continue;
        }
        if (mode[l] == 0) {
            const uint32_t rest = 255 - (s_odd >> 16);
            even = scale_two(even, rest);
            odd = scale_two(odd, rest);
        }
        even = add_two(s_even, even);
        odd = add_two(s_odd, odd);
    }
    picture[i] = even | odd << 8;
}

extern "C" void alpha_over(int layers, int pixels, const int32_t* mode, const uint8_t* opacity, const uint8_t* stack, uint8_t* picture) {
    lay<<<(pixels + 255) / 256, 256>>>(layers, pixels, mode, opacity, reinterpret_cast<const uint32_t*>(stack), reinterpret_cast<uint32_t*>(picture));
}
