// Doppler: all turns are found once a block; a block keeps the weighed pulses of four gates.
#include <cuda_runtime.h>

constexpr int kMost = 512;

__global__ void transform(int pulses, int gates, const float2* __restrict__ echo, const float* __restrict__ window, float* __restrict__ power) {
    __shared__ float2 turn[kMost], own[kMost][4];
    const int t = threadIdx.y * 32 + threadIdx.x, first = blockIdx.x * 4, g = first + threadIdx.y;
    for (int k = t; k < pulses; k += 128) sincospif(-2.0f * k / pulses, &turn[k].y, &turn[k].x);
    for (int k = t; k < 4 * pulses; k += 128) {
        const float2 e = first + k % 4 < gates ? echo[(size_t)(k / 4) * gates + first + k % 4] : make_float2(0, 0);
        own[k / 4][k % 4] = make_float2(e.x * window[k / 4], e.y * window[k / 4]);
    }
    __syncthreads();
    if (g >= gates) return;
    for (int d = threadIdx.x; d < pulses; d += 32) {
        float re = 0, im = 0;
        for (int p = 0, at = 0; p < pulses; ++p) {
            const float2 w = turn[at], e = own[p][threadIdx.y];
            re += e.x * w.x - e.y * w.y;
            im += e.x * w.y + e.y * w.x;
            at = at + d >= pulses ? at + d - pulses : at + d;
        }
        power[(size_t)g * pulses + (d + pulses / 2) % pulses] = re * re + im * im;
    }
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
    transform<<<(gates + 3) / 4, dim3(32, 4)>>>(pulses, gates, reinterpret_cast<const float2*>(echo), window, power);
    mean<<<(gates + 3) / 4, 128>>>(pulses, gates, power, noise);
}
