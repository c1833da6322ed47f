// Goertzel: a warp for each channel and tone; each lane takes every 32nd sample.
#include <cuda_runtime.h>

constexpr int kWarps = 4;

// For each tone e^{i theta}, theta = 32 w, and for each lane the turn e^{i w (31 - lane)}.
__global__ void tables(const float* coefficient, float2* angle, float2* turn) {
    double w = acos(0.5 * coefficient[blockIdx.x]);
    double further = w * (31 - (int)threadIdx.x);
    turn[blockIdx.x * 32 + threadIdx.x] = make_float2((float)cos(further), (float)sin(further));
    if (threadIdx.x == 0) angle[blockIdx.x] = make_float2((float)cos(32.0 * w), (float)sin(32.0 * w));
}

__global__ void recur(long long pairs, int n, int tones, const float2* angle, const float2* turns, const short* samples,
                      float* power) {
    long long t = blockIdx.x * (long long)kWarps + threadIdx.x / 32;
    int lane = threadIdx.x % 32;
    if (t >= pairs) return;  // whole warps leave
    const short* x = samples + t / tones * n;
    int tone = (int)(t % tones);
    float2 theta = angle[tone], turn = turns[tone * 32 + lane];
    float c = 2.0f * theta.x;
    float s1 = 0.0f, s2 = 0.0f;
    for (int i0 = 0; i0 < n; i0 += 32) {
        float sample = i0 + lane < n ? x[i0 + lane] : 0.0f;
        float s = sample + c * s1 - s2;
        s2 = s1;
        s1 = s;
    }
    // s1 - e^{-i theta} s2 is the lane's sum; it belongs w (31 - lane) further on.
    float re = s1 - theta.x * s2, im = theta.y * s2;
    float sum_re = re * turn.x - im * turn.y, sum_im = re * turn.y + im * turn.x;
    for (int d = 16; d > 0; d /= 2) {
        sum_re += __shfl_xor_sync(0xffffffffu, sum_re, d);
        sum_im += __shfl_xor_sync(0xffffffffu, sum_im, d);
    }
    if (lane == 0) power[t] = (sum_re * sum_re + sum_im * sum_im) * 0x1p-30f;
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    long long pairs = (long long)channels * tones;
    float2* angle = nullptr;
    cudaMalloc(&angle, 33 * tones * sizeof(float2));
    float2* turn = angle + tones;
    tables<<<tones, 32>>>(coefficient, angle, turn);
    recur<<<(int)((pairs - 1) / kWarps + 1), 32 * kWarps>>>(pairs, n, tones, angle, turn, samples, power);
    cudaFree(angle);
}
