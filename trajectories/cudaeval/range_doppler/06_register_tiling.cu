// Doppler: two rounds of butterflies are done on four points in registers, which halves the ways through shared memory and the barriers.
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

__device__ float2 plus(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }

__device__ float2 minus_times(float2 a, float2 b, float2 w) {
    const float x = a.x - b.x, y = a.y - b.y;
    return make_float2(x * w.x - y * w.y, x * w.y + y * w.x);
}

constexpr int kPitch = kGates + 1;

// Two rounds of butterflies on four points a quarter apart, `within` being the place in the quarter.
__device__ void two_rounds(float2 (&v)[4], int within, int step, int pulses, const float2* turn) {
    const float2 w = turn[within * step], ahead = turn[within * step + pulses / 4], twice = turn[2 * within * step];
    const float2 a = plus(v[0], v[2]), b = plus(v[1], v[3]), c = minus_times(v[0], v[2], w), d = minus_times(v[1], v[3], ahead);
    v[0] = plus(a, b);
    v[1] = minus_times(a, b, twice);
    v[2] = plus(c, d);
    v[3] = minus_times(c, d, twice);
}

// Pulses = 2^bits: butterflies from far to near, in place; cell d ends where its bits stand the other way round.
__global__ void fast_transform(int bits, int gates, const float2* __restrict__ echo, const float* __restrict__ window, float* __restrict__ power, float* __restrict__ noise) {
    extern __shared__ float2 own[];  // [pulse][gate], then the turns
    const int pulses = 1 << bits, t = threadIdx.x, gate = t % kGates, first = blockIdx.x * kGates;
    float2* turn = own + pulses * kPitch;
    for (int k = t; k < pulses; k += 128) sincospif(-2.0f * k / pulses, &turn[k].y, &turn[k].x);
    float energy = 0;
    for (int p = t / kGates; p < pulses; p += 128 / kGates) {
        const float2 e = first + gate < gates ? echo[(size_t)p * gates + first + gate] : make_float2(0, 0);
        const float2 weighed = make_float2(e.x * window[p], e.y * window[p]);
        own[p * kPitch + gate] = weighed;
        energy += weighed.x * weighed.x + weighed.y * weighed.y;
    }
    __shared__ float part[128];
    part[t] = energy;
    __syncthreads();
    if (t < kGates && first + t < gates) {
        float sum = 0;
        for (int k = t; k < 128; k += kGates) sum += part[k];
        noise[first + t] = sum;
    }
    int quarter = pulses / 4;
    for (; quarter > 0; quarter /= 4) {
        for (int group = t / kGates; group < pulses / 4; group += 128 / kGates) {
            const int within = group % quarter;
            float2* at = own + (4 * group - 3 * within) * kPitch + gate;
            float2 v[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) v[k] = at[k * quarter * kPitch];
            two_rounds(v, within, pulses / 4 / quarter, pulses, turn);
#pragma unroll
            for (int k = 0; k < 4; ++k) at[k * quarter * kPitch] = v[k];
        }
        __syncthreads();
    }
    for (int pair = t / kGates; bits % 2 && pair < pulses / 2; pair += 128 / kGates) {
        float2 *low = own + 2 * pair * kPitch + gate, *high = low + kPitch;
        const float2 a = *low, b = *high;
        *low = plus(a, b);
        *high = make_float2(a.x - b.x, a.y - b.y);
    }
    __syncthreads();
    for (int k = t; k < kGates * pulses; k += 128) {
        const int d = k % pulses, g = k / pulses;
        if (first + g >= gates) break;
        const float2 cell = own[(bits ? __brev(d) >> (32 - bits) : 0) * kPitch + g];
        power[(size_t)(first + g) * pulses + (d + pulses / 2) % pulses] = cell.x * cell.x + cell.y * cell.y;
    }
}

struct Sample { float re, im; };

extern "C" void range_doppler(int pulses, int gates, const Sample* echo, const float* window, float* power, float* noise) {
    const float2* samples = reinterpret_cast<const float2*>(echo);
    const int blocks = (gates + kGates - 1) / kGates;
    if ((pulses & (pulses - 1)) == 0) {
        int bits = 0;
        while (1 << bits < pulses) ++bits;
        const int bytes = sizeof(float2) * pulses * (kPitch + 1);
        cudaFuncSetAttribute(fast_transform, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
        fast_transform<<<blocks, 128, bytes>>>(bits, gates, samples, window, power, noise);
        return;
    }
    const int bytes = sizeof(float2) * pulses * (kGates + 1);
    cudaFuncSetAttribute(transform, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    transform<<<blocks, 128, bytes>>>(pulses, gates, samples, window, power, noise);
}
