// Decimator: one channel a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void decimate(int channels, int blocks, int rate, int shift, const int* samples, uint32_t* integrator, uint32_t* comb, int* out) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    uint32_t s[4], d[4];
    for (int k = 0; k < 4; ++k) s[k] = integrator[4 * c + k], d[k] = comb[4 * c + k];
    const int* in = samples + (size_t)c * blocks * rate;
    for (int b = 0; b < blocks; ++b) {
        for (int j = 0; j < rate; ++j) {
            s[0] += (uint32_t)in[(size_t)b * rate + j];
            s[1] += s[0], s[2] += s[1], s[3] += s[2];
        }
        uint32_t value = s[3];
        for (int k = 0; k < 4; ++k) {
            const uint32_t before = d[k];
            d[k] = value;
            value -= before;
        }
        out[(size_t)c * blocks + b] = (int)value >> shift;
    }
    for (int k = 0; k < 4; ++k) integrator[4 * c + k] = s[k], comb[4 * c + k] = d[k];
}

extern "C" void cic_decimator(int channels, int blocks, int rate, int32_t shift, const int32_t* samples, uint32_t* integrator, uint32_t* comb, int32_t* out) {
    decimate<<<(channels + 63) / 64, 64>>>(channels, blocks, rate, shift, samples, integrator, comb, out);
}
