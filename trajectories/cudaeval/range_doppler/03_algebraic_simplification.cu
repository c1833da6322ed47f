// Doppler: cells d and -d share their products: sums with cosines and with sines are kept apart, so that two cells cost one; the mean is the weighed pulses' own energy, by Parseval.
#include <cuda_runtime.h>

constexpr int kMost = 512;

__global__ void transform(int pulses, int gates, const float2* __restrict__ echo, const float* __restrict__ window, float* __restrict__ power, float* __restrict__ noise) {
    __shared__ float2 turn[kMost], own[kMost][4];
    const int t = threadIdx.y * 32 + threadIdx.x, first = blockIdx.x * 4, g = first + threadIdx.y;
    for (int k = t; k < pulses; k += 128) sincospif(-2.0f * k / pulses, &turn[k].y, &turn[k].x);
    for (int k = t; k < 4 * pulses; k += 128) {
        const float2 e = first + k % 4 < gates ? echo[(size_t)(k / 4) * gates + first + k % 4] : make_float2(0, 0);
        own[k / 4][k % 4] = make_float2(e.x * window[k / 4], e.y * window[k / 4]);
    }
    __syncthreads();
    if (g >= gates) return;
    float energy = 0;
    for (int p = threadIdx.x; p < pulses; p += 32) energy += own[p][threadIdx.y].x * own[p][threadIdx.y].x + own[p][threadIdx.y].y * own[p][threadIdx.y].y;
    for (int apart = 16; apart > 0; apart /= 2) energy += __shfl_xor_sync(0xffffffffu, energy, apart);
    if (threadIdx.x == 0) noise[g] = energy;
    float* row = power + (size_t)g * pulses;
    for (int d = threadIdx.x; d <= pulses / 2; d += 32) {
        float xc = 0, xs = 0, yc = 0, ys = 0;
        for (int p = 0, at = 0; p < pulses; ++p) {
            const float2 w = turn[at], e = own[p][threadIdx.y];
            xc += e.x * w.x, xs += e.x * w.y, yc += e.y * w.x, ys += e.y * w.y;
            at = at + d >= pulses ? at + d - pulses : at + d;
        }
        const int other = d ? pulses - d : 0;
        row[(d + pulses / 2) % pulses] = (xc - ys) * (xc - ys) + (xs + yc) * (xs + yc);
        if (other != d) row[(other + pulses / 2) % pulses] = (xc + ys) * (xc + ys) + (yc - xs) * (yc - xs);
    }
}

struct Sample { float re, im; };

extern "C" void range_doppler(int pulses, int gates, const Sample* echo, const float* window, float* power, float* noise) {
    transform<<<(gates + 3) / 4, dim3(32, 4)>>>(pulses, gates, reinterpret_cast<const float2*>(echo), window, power, noise);
}
