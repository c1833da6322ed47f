// Noise gate: a thread inverts both frames that overlap at its sample, from spectra in shared memory, and adds them up.
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

constexpr int kTogether = 7;  // frames of a block: 231 coefficients

__global__ void __launch_bounds__(256) transform(int frames, float least, const float* samples, const float* noise, float2* spectrum) {
    __shared__ float2 turn[kFrame];
    __shared__ float taper[kFrame], piece[(kTogether + 1) * kHop];
    const int first = blockIdx.x * kTogether, f = threadIdx.x / kBins, k = threadIdx.x % kBins;
    if (threadIdx.x < kFrame) taper[threadIdx.x] = window(threadIdx.x);
    piece[threadIdx.x] = first + (int)threadIdx.x / kHop <= frames ? samples[(size_t)first * kHop + threadIdx.x] : 0.0f;
    fill_turns(turn);
    if (f >= kTogether || first + f >= frames) return;
    float2 sum = make_float2(0.0f, 0.0f);
    for (int i = 0; i < kFrame; ++i) {
        const float x = taper[i] * piece[f * kHop + i];
        const float2 t = turn[i * k % kFrame];
        sum.x += x * t.x;
        sum.y -= x * t.y;
    }
    spectrum[(size_t)first * kBins + threadIdx.x] = weaken(sum, noise[k], least);
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

constexpr int kHops = 8;  // of a block

__global__ void __launch_bounds__(256) invert(int frames, const float2* spectrum, float* cleaned) {
    __shared__ float2 turn[kFrame], here[(kHops + 1) * kBins];
    const int first = blockIdx.x * kHops - 1, late = threadIdx.x / kHop, hop = first + 1 + late, i = threadIdx.x % kHop;
    for (int at = threadIdx.x; at < (kHops + 1) * kBins; at += 256) {
        const int f = first + at / kBins;
        here[at] = f >= 0 && f < frames ? spectrum[(long long)first * kBins + at] : make_float2(0.0f, 0.0f);
    }
    fill_turns(turn);
    if (hop > frames) return;
    const float sum = window(kHop + i) * sample_of(here + late * kBins, turn, kHop + i);
    cleaned[(size_t)hop * kHop + i] = sum + window(i) * sample_of(here + (late + 1) * kBins, turn, i);
}


extern "C" void noise_gate_frames(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    float2* spectrum = nullptr;
    cudaMalloc(&spectrum, (size_t)frames * kBins * sizeof(float2));
    transform<<<(frames - 1) / kTogether + 1, 256>>>(frames, least, samples, noise, spectrum);
    invert<<<frames / kHops + 1, 256>>>(frames, spectrum, cleaned);
    cudaFree(spectrum);
}
