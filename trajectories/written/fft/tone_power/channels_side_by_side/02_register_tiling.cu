// Goertzel: a thread for each channel and eight tones.
#include <cuda_runtime.h>

constexpr int kThreads = 128;
constexpr int kTones = 8;  // of a thread

// The recurrence of eight tones side by side.
struct Bank {
    float c[kTones], s1[kTones], s2[kTones];

    __device__ Bank(const float* coefficient, int first, int tones) {
#pragma unroll
        for (int k = 0; k < kTones; ++k) {
            c[k] = first + k < tones ? coefficient[first + k] : 0.0f;
            s1[k] = s2[k] = 0.0f;
        }
    }
    __device__ void feed(float x) {
#pragma unroll
        for (int k = 0; k < kTones; ++k) {
            float s = x + c[k] * s1[k] - s2[k];
            s2[k] = s1[k];
            s1[k] = s;
        }
    }
    // Samples were taken as integers; the power is scaled for full scale 1.
    __device__ void store(float* power, int first, int tones) const {
#pragma unroll
        for (int k = 0; k < kTones; ++k)
            if (first + k < tones)
                power[first + k] = (s1[k] * s1[k] + s2[k] * s2[k] - c[k] * s1[k] * s2[k]) * 0x1p-30f;
    }
};

__global__ void recur(int channels, int n, int tones, const float* coefficient, const short* samples, float* power) {
    int channel = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kTones;
    if (channel >= channels) return;
    const short* x = samples + (size_t)channel * n;
    Bank bank(coefficient, first, tones);
    for (int i = 0; i < n; ++i) bank.feed(x[i]);
    bank.store(power + (size_t)channel * tones, first, tones);
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    dim3 grid((channels - 1) / kThreads + 1, (tones - 1) / kTones + 1);
    recur<<<grid, kThreads>>>(channels, n, tones, coefficient, samples, power);
}
