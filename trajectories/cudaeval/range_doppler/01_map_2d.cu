// Doppler: one cell a thread, with a sine and a cosine a term.
#include <cuda_runtime.h>

__global__ void transform(int pulses, int gates, const float2* echo, const float* window, float* power) {
    const int d = blockIdx.x * 32 + threadIdx.x, g = blockIdx.y * 4 + threadIdx.y;
    if (d >= pulses || g >= gates) return;
    float re = 0, im = 0;
    for (int p = 0; p < pulses; ++p) {
        float s, c;
        sincospif(-2.0f * (d * p % pulses) / pulses, &s, &c);
        const float2 e = echo[(size_t)p * gates + g];
        re += window[p] * (e.x * c - e.y * s);
        im += window[p] * (e.x * s + e.y * c);
    }
    power[(size_t)g * pulses + (d + pulses / 2) % pulses] = re * re + im * im;
}

__global__ void mean(int pulses, int gates, const float* power, float* noise) {
    const int g = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (g >= gates) return;
    float sum = 0;
    for (int d = lane; d < pulses; d += 32) sum += power[(size_t)g * pulses + d];
    for (int apart = 16; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
    if (lane == 0) noise[g] = sum / pulses;
}

struct Sample { float re, im; };

extern "C" void range_doppler(int pulses, int gates, const Sample* echo, const float* window, float* power, float* noise) {
    transform<<<dim3((pulses + 31) / 32, (gates + 3) / 4), dim3(32, 4)>>>(pulses, gates, reinterpret_cast<const float2*>(echo), window, power);
    mean<<<(gates + 3) / 4, 128>>>(pulses, gates, power, noise);
}
