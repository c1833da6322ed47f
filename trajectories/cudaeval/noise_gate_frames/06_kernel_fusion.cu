// Noise gate: a block takes eight frames from samples to samples in shared memory; one frame in eight is done twice.
#include <cuda_runtime.h>

constexpr int kFrame = 64, kHop = 32, kBins = 33;

__device__ float window(int i) { return sinpif((i + 0.5f) / kFrame); }

__device__ float2 weaken(float2 c, float noise, float least) {
    const float gain = fmaxf(least, 1.0f - noise / fmaxf(c.x * c.x + c.y * c.y, 1e-20f));
    return make_float2(gain * c.x, gain * c.y);
}

// Cosine and sine of i / 64 of a turn.
__device__ void fill_turns(float2* turn) {
    const int i = threadIdx.x;
    if (i < kFrame) turn[i] = make_float2(cospif(i / 32.0f), sinpif(i / 32.0f));
    __syncthreads();
}

// Sample i of the frame that has this spectrum, without the window.
__device__ float sample_of(const float2* c, const float2* turn, int i) {
    float sum = c[0].x + (i % 2 ? -c[kFrame / 2].x : c[kFrame / 2].x);
    for (int k = 1; k < kFrame / 2; ++k) {
        const float2 t = turn[i * k % kFrame];
        sum += 2.0f * (c[k].x * t.x - c[k].y * t.y);
    }
    return sum / kFrame;
}

constexpr int kTeam = 8;  // frames of a block; neighbours share one, so that a block gives seven hops

__global__ void __launch_bounds__(256) clean(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    __shared__ float2 turn[kFrame], spectrum[kTeam][kBins];
    __shared__ float taper[kFrame], piece[(kTeam + 1) * kHop];
    const int first = blockIdx.x * (kTeam - 1) - 1;
    fill_turns(turn);
    if (threadIdx.x < kFrame) taper[threadIdx.x] = window(threadIdx.x);
    for (int i = threadIdx.x; i < (kTeam + 1) * kHop; i += 256) {
        const int hop = first + i / kHop;
        piece[i] = hop >= 0 && hop <= frames ? samples[(long long)hop * kHop + i % kHop] : 0.0f;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < kTeam * kBins; at += 256) {
        const int f = at / kBins, k = at % kBins;
        float2 sum = make_float2(0.0f, 0.0f);
        for (int i = 0; i < kFrame; ++i) {
            const float x = taper[i] * piece[f * kHop + i];
            const float2 t = turn[i * k % kFrame];
            sum.x += x * t.x;
            sum.y -= x * t.y;
        }
        spectrum[f][k] = weaken(sum, noise[k], least);
    }
    __syncthreads();
    for (int at = threadIdx.x; at < (kTeam - 1) * kHop; at += 256) {
        const int i = at % kHop, late = at / kHop, hop = first + late + 1;
        if (hop > frames) break;
        float sum = 0.0f;
        if (hop > 0) sum = taper[kHop + i] * sample_of(spectrum[late], turn, kHop + i);
        if (hop < frames) sum += taper[i] * sample_of(spectrum[late + 1], turn, i);
        cleaned[(size_t)hop * kHop + i] = sum;
    }
}

extern "C" void noise_gate_frames(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    clean<<<frames / (kTeam - 1) + 1, 256>>>(frames, least, samples, noise, cleaned);
}
