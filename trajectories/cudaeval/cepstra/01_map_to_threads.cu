// Cepstral features: frames, transforms, bands, cepstra and changes in a kernel each, a thread a number.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFrame = 128, kHop = 64, kBins = kFrame / 2 + 1, kBands = 16, kKept = 8;

__constant__ int kEdge[kBands + 2] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 56, 64};

__device__ float taper(int i) { return 0.54f - 0.46f * cospif(2.0f * i / (kFrame - 1)); }

__device__ float emphasised(const int16_t* samples, int at) { return samples[at] - 0.97f * (at > 0 ? samples[at - 1] : 0); }

__global__ void shape_frames(int frames, const int16_t* samples, float* frame) {
    const int i = blockIdx.x * 256 + threadIdx.x;
    if (i < frames * kFrame) frame[i] = taper(i % kFrame) * emphasised(samples, i / kFrame * kHop + i % kFrame);
}

__global__ void transform(int frames, const float* frame, float* power) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kBins, k = at % kBins;
    if (f >= frames) return;
    float re = 0.0f, im = 0.0f;
    for (int i = 0; i < kFrame; ++i) {
        const float x = frame[(size_t)f * kFrame + i];
        re += x * cospif(i * k % kFrame / 64.0f);
        im -= x * sinpif(i * k % kFrame / 64.0f);
    }
    power[at] = re * re + im * im;
}

// The loudness of a band: power under a triangle between its edges.
__device__ float loudness_of(const float* power, int b) {
    const int low = kEdge[b], middle = kEdge[b + 1], high = kEdge[b + 2];
    float rising = 0.0f, falling = 0.0f;
    for (int k = low; k < middle; ++k) rising += power[k] * (k - low);
    for (int k = middle; k < high; ++k) falling += power[k] * (high - k);
    return logf(rising / (middle - low) + falling / (high - middle) + 1.0f);
}

__global__ void add_bands(int frames, const float* power, float* loudness) {
    const int at = blockIdx.x * 256 + threadIdx.x;
    if (at < frames * kBands) loudness[at] = loudness_of(power + (size_t)(at / kBands) * kBins, at % kBands);
}

__global__ void find_cepstra(int frames, const float* loudness, float* cepstrum) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kKept, c = at % kKept;
    if (f >= frames) return;
    float sum = 0.0f;
    for (int b = 0; b < kBands; ++b) sum += loudness[(size_t)f * kBands + b] * cospif(c * (b + 0.5f) / kBands);
    cepstrum[at] = sum;
}

__global__ void find_changes(int frames, const float* cepstrum, float* feature) {
    const int at = blockIdx.x * 256 + threadIdx.x, f = at / kKept, c = at % kKept;
    if (f >= frames) return;
    const int before = max(f - 1, 0), after = min(f + 1, frames - 1);
    feature[2 * kKept * (size_t)f + c] = cepstrum[at];
    feature[2 * kKept * (size_t)f + kKept + c] = 0.5f * (cepstrum[(size_t)after * kKept + c] - cepstrum[(size_t)before * kKept + c]);
}

static int blocks(int threads) { return (threads - 1) / 256 + 1; }

extern "C" void cepstra(int frames, const int16_t* samples, float* feature) {
    float* frame = nullptr;
    cudaMalloc(&frame, (size_t)frames * (kFrame + kBins + kBands + kKept) * sizeof(float));
    float* power = frame + (size_t)frames * kFrame;
    float *loudness = power + (size_t)frames * kBins, *cepstrum = loudness + (size_t)frames * kBands;
    shape_frames<<<blocks(frames * kFrame), 256>>>(frames, samples, frame);
    transform<<<blocks(frames * kBins), 256>>>(frames, frame, power);
    add_bands<<<blocks(frames * kBands), 256>>>(frames, power, loudness);
    find_cepstra<<<blocks(frames * kKept), 256>>>(frames, loudness, cepstrum);
    find_changes<<<blocks(frames * kKept), 256>>>(frames, cepstrum, feature);
    cudaFree(frame);
}
