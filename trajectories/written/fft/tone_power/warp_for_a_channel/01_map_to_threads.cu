// Goertzel: a thread for each channel and tone.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

__global__ void recur(long long pairs, int n, int tones, const float* coefficient, const short* samples, float* power) {
    long long t = blockIdx.x * (long long)kThreads + threadIdx.x;
    if (t >= pairs) return;
    const short* x = samples + t / tones * n;
    float c = coefficient[t % tones];
    float s1 = 0.0f, s2 = 0.0f;
    for (int i = 0; i < n; ++i) {
        float s = x[i] * (1.0f / 32768.0f) + c * s1 - s2;
        s2 = s1;
        s1 = s;
    }
    power[t] = s1 * s1 + s2 * s2 - c * s1 * s2;
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    long long pairs = (long long)channels * tones;
    recur<<<(int)((pairs - 1) / kThreads + 1), kThreads>>>(pairs, n, tones, coefficient, samples, power);
}
