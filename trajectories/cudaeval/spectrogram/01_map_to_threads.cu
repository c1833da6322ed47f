#include <cuda_runtime.h>

constexpr int kFrame = 256, kBins = kFrame / 2 + 1;

// One thread a frame.
__global__ void spectra(int frames, int hop, const float* signal, const float* window, float* power) {
    int f = blockIdx.x * blockDim.x + threadIdx.x;
    if (f >= frames) return;
    float re[kFrame], im[kFrame];
    for (int n = 0; n < kFrame; ++n) {
        int target = (int)(__brev((unsigned)n) >> 24);
        re[target] = signal[(long long)f * hop + n] * window[n];
        im[target] = 0.0f;
    }
    for (int half = 1; half < kFrame; half *= 2) {
        for (int i = 0; i < kFrame / 2; ++i) {
            int k = i % half, a = i / half * 2 * half + k, b = a + half;
            float s, c;
            sincospif(-(float)k / half, &s, &c);
            float x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
            re[b] = re[a] - x;
            im[b] = im[a] - y;
            re[a] += x;
            im[a] += y;
        }
    }
    for (int k = 0; k < kBins; ++k) power[(long long)f * kBins + k] = re[k] * re[k] + im[k] * im[k];
}

extern "C" void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    if (frames > 0) spectra<<<(frames + 63) / 64, 64>>>(frames, hop, signal, window, power);
}
