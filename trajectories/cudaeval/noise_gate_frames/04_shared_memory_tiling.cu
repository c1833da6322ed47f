// Noise gate: a block transforms seven frames whose samples it has in shared memory.
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

__global__ void invert(int frames, const float2* spectrum, float* part) {
    __shared__ float2 turn[kFrame];
    fill_turns(turn);
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kFrame, i = at % kFrame;
    if (f >= frames) return;
    const float2* c = spectrum + (size_t)f * kBins;
    float sum = c[0].x + (i % 2 ? -c[kFrame / 2].x : c[kFrame / 2].x);
    for (int k = 1; k < kFrame / 2; ++k) sum += 2.0f * (c[k].x * turn[i * k % kFrame].x - c[k].y * turn[i * k % kFrame].y);
    part[at] = window(i) * sum / kFrame;
}

__global__ void overlap(int frames, const float* part, float* cleaned) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kHop, i = at % kHop;
    if (f > frames) return;
    const float late = f > 0 ? part[(size_t)(f - 1) * kFrame + kHop + i] : 0.0f;
    cleaned[at] = late + (f < frames ? part[(size_t)f * kFrame + i] : 0.0f);
}

static int blocks(int threads) { return (threads - 1) / 256 + 1; }

extern "C" void noise_gate_frames(int frames, float least, const float* samples, const float* noise, float* cleaned) {
    float* part = nullptr;
    cudaMalloc(&part, (size_t)frames * (2 * kBins + kFrame) * sizeof(float));
    float2* spectrum = reinterpret_cast<float2*>(part + (size_t)frames * kFrame);
    transform<<<(frames - 1) / kTogether + 1, 256>>>(frames, least, samples, noise, spectrum);
    invert<<<blocks(frames * kFrame), 256>>>(frames, spectrum, part);
    overlap<<<blocks((frames + 1) * kHop), 256>>>(frames, part, cleaned);
    cudaFree(part);
}
