// Noise gate: window, transform, gains, inverse and overlap in a kernel each, a thread a number.
#include <cuda_runtime.h>

constexpr int kFrame = 64, kHop = 32, kBins = 33;

__device__ float window(int i) { return sinpif((i + 0.5f) / kFrame); }

__device__ float2 weaken(float2 c, float noise, float least) {
    const float gain = fmaxf(least, 1.0f - noise / fmaxf(c.x * c.x + c.y * c.y, 1e-20f));
    return make_float2(gain * c.x, gain * c.y);
}

__global__ void apply_window(int frames, const float* samples, float* windowed) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < frames * kFrame) windowed[i] = window(i % kFrame) * samples[(size_t)(i / kFrame) * kHop + i % kFrame];
}

__global__ void transform(int frames, const float* windowed, float2* spectrum) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kBins, k = at % kBins;
    if (f >= frames) return;
    float2 sum = make_float2(0.0f, 0.0f);
    for (int i = 0; i < kFrame; ++i) {
        const float x = windowed[(size_t)f * kFrame + i];
        sum.x += x * cospif(i * k / 32.0f);
        sum.y -= x * sinpif(i * k / 32.0f);
    }
    spectrum[at] = sum;
}

__global__ void apply_gain(int frames, float least, const float* noise, float2* spectrum) {
    const int at = blockIdx.x * 256 + threadIdx.x;
    if (at < frames * kBins) spectrum[at] = weaken(spectrum[at], noise[at % kBins], least);
}

__global__ void invert(int frames, const float2* spectrum, float* part) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kFrame, i = at % kFrame;
    if (f >= frames) return;
    const float2* c = spectrum + (size_t)f * kBins;
    float sum = c[0].x + (i % 2 ? -c[kFrame / 2].x : c[kFrame / 2].x);
    for (int k = 1; k < kFrame / 2; ++k) sum += 2.0f * (c[k].x * cospif(i * k / 32.0f) - c[k].y * sinpif(i * k / 32.0f));
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
    float* windowed = nullptr;
    cudaMalloc(&windowed, (size_t)frames * (2 * kBins + kFrame) * sizeof(float));
    float2* spectrum = reinterpret_cast<float2*>(windowed + (size_t)frames * kFrame);
    apply_window<<<blocks(frames * kFrame), 256>>>(frames, samples, windowed);
    transform<<<blocks(frames * kBins), 256>>>(frames, windowed, spectrum);
    apply_gain<<<blocks(frames * kBins), 256>>>(frames, least, noise, spectrum);
    invert<<<blocks(frames * kFrame), 256>>>(frames, spectrum, windowed);
    overlap<<<blocks((frames + 1) * kHop), 256>>>(frames, windowed, cleaned);
    cudaFree(windowed);
}
