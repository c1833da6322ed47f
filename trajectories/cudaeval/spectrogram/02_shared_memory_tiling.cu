#include <cuda_runtime.h>

constexpr int kFrame = 256, kBins = kFrame / 2 + 1;

// A block a frame, held in shared memory; each thread makes one butterfly of every stage.
__global__ void spectra(int hop, const float* __restrict__ signal, const float* __restrict__ window, float* __restrict__ power) {
    __shared__ float re[kFrame], im[kFrame];
    long long f = blockIdx.x;
    for (int n = threadIdx.x; n < kFrame; n += kFrame / 2) {
        int target = (int)(__brev((unsigned)n) >> 24);
        re[target] = signal[f * hop + n] * window[n];
        im[target] = 0.0f;
    }
    for (int half = 1; half < kFrame; half *= 2) {
        int k = threadIdx.x % half, a = threadIdx.x / half * 2 * half + k, b = a + half;
        float s, c;
        sincospif(-(float)k / half, &s, &c);
        __syncthreads();
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
