#include <cuda_runtime.h>

constexpr int kFrame = 256, kBins = kFrame / 2 + 1;

// A block a frame, held in shared memory; each thread makes one butterfly of every stage, with factors from a table.
__global__ void spectra(int hop, const float* __restrict__ signal, const float* __restrict__ window, float* __restrict__ power) {
    __shared__ float re[kFrame], im[kFrame];
    __shared__ float cosine[kFrame / 2], sine[kFrame / 2];
    float s0, c0;
    sincospif(-(float)threadIdx.x / (kFrame / 2), &s0, &c0);
    sine[threadIdx.x] = s0;
    cosine[threadIdx.x] = c0;
    long long f = blockIdx.x;
    for (int n = threadIdx.x; n < kFrame; n += kFrame / 2) {
        int target = (int)(__brev((unsigned)n) >> 24);
        re[target] = signal[f * hop + n] * window[n];
        im[target] = 0.0f;
    }
    for (int half = 1; half < kFrame; half *= 2) {
        int k = threadIdx.x % half, a = threadIdx.x / half * 2 * half + k, b = a + half;
        __syncthreads();
        float s = sine[k * (kFrame / 2 / half)], c = cosine[k * (kFrame / 2 / half)];
        float x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < kBins; k += kFrame / 2) power[f * kBins + k] = re[k] * re[k] + im[k] * im[k];
}

extern "C" void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    if (frames > 0) spectra<<<frames, kFrame / 2>>>(hop, signal, window, power);
}
