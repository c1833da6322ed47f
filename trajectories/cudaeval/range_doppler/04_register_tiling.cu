// Doppler: a warp has four gates in registers, so that a turn read from shared memory, where lanes meet in banks, serves sixteen products.
#include <cuda_runtime.h>

constexpr int kGates = 16;  // of a block

// Sums over all pulses, a warp for four gates: what was read of the table of turns serves four.
__global__ void transform(int pulses, int gates, const float2* __restrict__ echo, const float* __restrict__ window, float* __restrict__ power, float* __restrict__ noise) {
    extern __shared__ float4 room[];
    float2 *own = reinterpret_cast<float2*>(room), *turn = own + pulses * kGates;  // own: [pulse][gate], weighed
    const int t = threadIdx.x, lane = t % 32, mine = t / 32 * 4, first = blockIdx.x * kGates;
    for (int k = t; k < pulses; k += 128) sincospif(-2.0f * k / pulses, &turn[k].y, &turn[k].x);
    for (int k = t; k < kGates * pulses; k += 128) {
        const float2 e = first + k % kGates < gates ? echo[(size_t)(k / kGates) * gates + first + k % kGates] : make_float2(0, 0);
        own[k] = make_float2(e.x * window[k / kGates], e.y * window[k / kGates]);
    }
    __syncthreads();
    for (int q = 0; q < 4; ++q) {
        float energy = 0;
        for (int p = lane; p < pulses; p += 32) energy += own[p * kGates + mine + q].x * own[p * kGates + mine + q].x + own[p * kGates + mine + q].y * own[p * kGates + mine + q].y;
        for (int apart = 16; apart > 0; apart /= 2) energy += __shfl_xor_sync(0xffffffffu, energy, apart);
        if (lane == 0 && first + mine + q < gates) noise[first + mine + q] = energy;
    }
    for (int d = lane; d <= pulses / 2; d += 32) {
        float xc[4] = {}, xs[4] = {}, yc[4] = {}, ys[4] = {};
        for (int p = 0, at = 0; p < pulses; ++p) {
            const float2 w = turn[at];
            const float4 one = room[(p * kGates + mine) / 2], two = room[(p * kGates + mine) / 2 + 1];
            const float x[4] = {one.x, one.z, two.x, two.z}, y[4] = {one.y, one.w, two.y, two.w};
#pragma unroll
            for (int q = 0; q < 4; ++q) xc[q] += x[q] * w.x, xs[q] += x[q] * w.y, yc[q] += y[q] * w.x, ys[q] += y[q] * w.y;
            at = at + d >= pulses ? at + d - pulses : at + d;
        }
        const int other = d ? pulses - d : 0;
#pragma unroll
        for (int q = 0; q < 4; ++q) {
            if (first + mine + q >= gates) break;
            float* row = power + (size_t)(first + mine + q) * pulses;
            row[(d + pulses / 2) % pulses] = (xc[q] - ys[q]) * (xc[q] - ys[q]) + (xs[q] + yc[q]) * (xs[q] + yc[q]);
            if (other != d) row[(other + pulses / 2) % pulses] = (xc[q] + ys[q]) * (xc[q] + ys[q]) + (yc[q] - xs[q]) * (yc[q] - xs[q]);
        }
    }
}

struct Sample { float re, im; };

extern "C" void range_doppler(int pulses, int gates, const Sample* echo, const float* window, float* power, float* noise) {
    const float2* samples = reinterpret_cast<const float2*>(echo);
    const int blocks = (gates + kGates - 1) / kGates;
    const int bytes = sizeof(float2) * pulses * (kGates + 1);
    cudaFuncSetAttribute(transform, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    transform<<<blocks, 128, bytes>>>(pulses, gates, samples, window, power, noise);
}
