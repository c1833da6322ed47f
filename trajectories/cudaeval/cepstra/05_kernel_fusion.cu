// Cepstral features: changes are transforms of changed loudness: cepstra and changes are one kernel with one table.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kFrame = 128, kHop = 64, kBins = kFrame / 2 + 1, kBands = 16, kKept = 8;

__constant__ int kEdge[kBands + 2] = {1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 22, 27, 33, 40, 48, 56, 64};

__device__ float taper(int i) { return 0.54f - 0.46f * cospif(2.0f * i / (kFrame - 1)); }

__device__ float emphasised(const int16_t* samples, int at) { return samples[at] - 0.97f * (at > 0 ? samples[at - 1] : 0); }

// Cosine and sine of i / 128 of a turn.
__device__ void fill_turns(float2* turn) {
    const int i = threadIdx.x;
    if (i < kFrame) turn[i] = make_float2(cospif(i / 64.0f), sinpif(i / 64.0f));
    __syncthreads();
}

// The loudness of a band: power under a triangle between its edges.
__device__ float loudness_of(const float* power, int b) {
    const int low = kEdge[b], middle = kEdge[b + 1], high = kEdge[b + 2];
    float rising = 0.0f, falling = 0.0f;
    for (int k = low; k < middle; ++k) rising += power[k] * (k - low);
    for (int k = middle; k < high; ++k) falling += power[k] * (high - k);
    return logf(rising / (middle - low) + falling / (high - middle) + 1.0f);
}

// A block has four frames in shared memory from samples to the loudness of their bands.
constexpr int kTeam = 4;

__global__ void __launch_bounds__(256) find_loudness(int frames, const int16_t* samples, float* loudness) {
    __shared__ float2 turn[kFrame];
    __shared__ float frame[kTeam * kFrame], power[kTeam * kBins];
    const int first = blockIdx.x * kTeam, here = min(kTeam, frames - first);
    for (int i = threadIdx.x; i < here * kFrame; i += 256) {
        frame[i] = taper(i % kFrame) * emphasised(samples, (first + i / kFrame) * kHop + i % kFrame);
    }
    fill_turns(turn);
    for (int at = threadIdx.x; at < here * kBins; at += 256) {
        const float* x = frame + at / kBins * kFrame;
        const int k = at % kBins;
        float re = 0.0f, im = 0.0f;
        for (int i = 0; i < kFrame; ++i) {
            const float2 t = turn[i * k % kFrame];
            re += x[i] * t.x;
            im -= x[i] * t.y;
        }
        power[at] = re * re + im * im;
    }
    __syncthreads();
    for (int at = threadIdx.x; at < here * kBands; at += 256) {
        loudness[(size_t)first * kBands + at] = loudness_of(power + at / kBands * kBins, at % kBands);
    }
}

constexpr int kOut = 16;  // frames of a block: 256 features

__global__ void __launch_bounds__(256) find_features(int frames, const float* loudness, float* feature) {
    __shared__ float loud[(kOut + 2) * kBands], wave[kKept * kBands];
    const int first = blockIdx.x * kOut - 1;
    if (threadIdx.x < kKept * kBands) wave[threadIdx.x] = cospif(threadIdx.x / kBands * (threadIdx.x % kBands + 0.5f) / kBands);
    for (int i = threadIdx.x; i < (kOut + 2) * kBands; i += 256) {
        const int f = min(max(first + i / kBands, 0), frames - 1);
        loud[i] = loudness[(size_t)f * kBands + i % kBands];
    }
    __syncthreads();
    const int f = threadIdx.x / (2 * kKept), c = threadIdx.x % kKept;
    if (first + 1 + f >= frames) return;
    const bool change = threadIdx.x % (2 * kKept) >= kKept;
    const float* own = loud + (f + 1) * kBands;
    float sum = 0.0f;
    for (int b = 0; b < kBands; ++b) sum += (change ? 0.5f * (own[b + kBands] - own[b - kBands]) : own[b]) * wave[c * kBands + b];
    feature[(size_t)blockIdx.x * 256 + threadIdx.x] = sum;
}

extern "C" void cepstra(int frames, const int16_t* samples, float* feature) {
    float* loudness = nullptr;
    cudaMalloc(&loudness, (size_t)frames * kBands * sizeof(float));
    find_loudness<<<(frames - 1) / kTeam + 1, 256>>>(frames, samples, loudness);
    find_features<<<(frames - 1) / kOut + 1, 256>>>(frames, loudness, feature);
    cudaFree(loudness);
}
