#include <cuda_runtime.h>

constexpr int kFrame = 256, kHalf = kFrame / 2, kBins = kHalf + 1, kThreads = kHalf / 2;

// A block a frame: even samples as real and odd ones as imaginary parts make a transform of half the length, from which the
// spectrum of the frame follows.
__global__ void spectra(int hop, const float* __restrict__ signal, const float* __restrict__ window,
                        float* __restrict__ power) {
    __shared__ float re[kHalf], im[kHalf], cosine[kHalf], sine[kHalf];
    for (int m = threadIdx.x; m < kHalf; m += kThreads) {
        float s, c;
        sincospif(-(float)m / kHalf, &s, &c);
        sine[m] = s;
        cosine[m] = c;
    }
    long long f = blockIdx.x;
    for (int n = threadIdx.x; n < kHalf; n += kThreads) {
        int target = (int)(__brev((unsigned)n) >> 25);
        re[target] = signal[f * hop + 2 * n] * window[2 * n];
        im[target] = signal[f * hop + 2 * n + 1] * window[2 * n + 1];
    }
    for (int half = 1; half < kHalf; half *= 2) {
        int k = threadIdx.x % half, a = threadIdx.x / half * 2 * half + k, b = a + half;
        __syncthreads();
        float s = sine[k * (kHalf / half)], c = cosine[k * (kHalf / half)];
        float x = re[b] * c - im[b] * s, y = re[b] * s + im[b] * c;
        re[b] = re[a] - x;
        im[b] = im[a] - y;
        re[a] += x;
        im[a] += y;
    }
    __syncthreads();
    for (int k = threadIdx.x; k < kBins; k += kThreads) {
        int low = k % kHalf, high = (kHalf - k) % kHalf;
        float even_re = 0.5f * (re[low] + re[high]), even_im = 0.5f * (im[low] - im[high]);
        float odd_re = 0.5f * (im[low] + im[high]), odd_im = 0.5f * (re[high] - re[low]);
        float c = k < kHalf ? cosine[k] : -1.0f, s = k < kHalf ? sine[k] : 0.0f;
        float x = even_re + odd_re * c - odd_im * s, y = even_im + odd_re * s + odd_im * c;
        power[f * kBins + k] = x * x + y * y;
    }
}

extern "C" void spectrogram(int frames, int hop, const float* signal, const float* window, float* power) {
    if (frames > 0) spectra<<<frames, kThreads>>>(hop, signal, window, power);
}
