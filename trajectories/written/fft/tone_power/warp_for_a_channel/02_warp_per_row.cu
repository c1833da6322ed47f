// Goertzel: a warp for each channel and tone; each lane takes every 32nd sample.
#include <cuda_runtime.h>

constexpr int kWarps = 4;

__global__ void recur(long long pairs, int n, int tones, const float* coefficient, const short* samples, float* power) {
    long long t = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (t >= pairs) return;  // whole warps leave
    const short* x = samples + t / tones * n;
    double w = acos(0.5 * coefficient[t % tones]);
    double theta = 32.0 * w;
    float c = (float)(2.0 * cos(theta));
    float s1 = 0.0f, s2 = 0.0f;
    for (int i0 = 0; i0 < n; i0 += 32) {
        float sample = i0 + lane < n ? x[i0 + lane] : 0.0f;
        float s = sample + c * s1 - s2;
        s2 = s1;
        s1 = s;
    }
    // s1 - e^{-i theta} s2 is the lane's sum; it belongs w (31 - lane) further on.
    double re = s1 - cos(theta) * s2, im = sin(theta) * s2;
    double turn_re = cos(w * (31 - lane)), turn_im = sin(w * (31 - lane));
    float sum_re = (float)(re * turn_re - im * turn_im), sum_im = (float)(re * turn_im + im * turn_re);
    for (int d = 16; d > 0; d /= 2) {
        sum_re += __shfl_xor_sync(0xffffffffu, sum_re, d);
        sum_im += __shfl_xor_sync(0xffffffffu, sum_im, d);
    }
    if (lane == 0) power[t] = (sum_re * sum_re + sum_im * sum_im) * 0x1p-30f;
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    long long pairs = (long long)channels * tones;
    recur<<<(int)((pairs - 1) / kWarps + 1), 32 * kWarps>>>(pairs, n, tones, coefficient, samples, power);
}
