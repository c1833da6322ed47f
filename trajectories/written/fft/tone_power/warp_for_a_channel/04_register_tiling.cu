// Goertzel: a warp for each channel and four tones; each lane takes every 32nd sample.
#include <cuda_runtime.h>

constexpr int kWarps = 4;
constexpr int kTones = 4;  // of a warp

// For each tone e^{i theta}, theta = 32 w, and for each lane the turn e^{i w (31 - lane)}.
__global__ void tables(const float* coefficient, float2* angle, float2* turn) {
    double w = acos(0.5 * coefficient[blockIdx.x]);
    double further = w * (31 - (int)threadIdx.x);
    turn[blockIdx.x * 32 + threadIdx.x] = make_float2((float)cos(further), (float)sin(further));
    if (threadIdx.x == 0) angle[blockIdx.x] = make_float2((float)cos(32.0 * w), (float)sin(32.0 * w));
}

__global__ void recur(int channels, int n, int tones, const float2* angle, const float2* turns, const short* samples,
                      float* power) {
    int channel = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32, first = blockIdx.y * kTones;
    if (channel >= channels) return;  // whole warps leave
    const short* x = samples + (size_t)channel * n;
    float c[kTones], s1[kTones] = {}, s2[kTones] = {};
#pragma unroll
    for (int k = 0; k < kTones; ++k) c[k] = first + k < tones ? 2.0f * angle[first + k].x : 0.0f;
    for (int i0 = 0; i0 < n; i0 += 32) {
        float sample = i0 + lane < n ? x[i0 + lane] : 0.0f;
#pragma unroll
        for (int k = 0; k < kTones; ++k) {
            float s = sample + c[k] * s1[k] - s2[k];
            s2[k] = s1[k];
            s1[k] = s;
        }
    }
    // s1 - e^{-i theta} s2 is the lane's sum; it belongs w (31 - lane) further on.
#pragma unroll
    for (int k = 0; k < kTones; ++k) {
        if (first + k >= tones) break;
        float2 theta = angle[first + k], turn = turns[(first + k) * 32 + lane];
        float re = s1[k] - theta.x * s2[k], im = theta.y * s2[k];
        float sum_re = re * turn.x - im * turn.y, sum_im = re * turn.y + im * turn.x;
        for (int d = 16; d > 0; d /= 2) {
            sum_re += __shfl_xor_sync(0xffffffffu, sum_re, d);
            sum_im += __shfl_xor_sync(0xffffffffu, sum_im, d);
        }
        if (lane == 0)
            power[(size_t)channel * tones + first + k] = (sum_re * sum_re + sum_im * sum_im) * 0x1p-30f;
    }
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    float2* angle = nullptr;
    cudaMalloc(&angle, 33 * tones * sizeof(float2));
    float2* turn = angle + tones;
    tables<<<tones, 32>>>(coefficient, angle, turn);
    dim3 grid((channels - 1) / kWarps + 1, (tones - 1) / kTones + 1);
    recur<<<grid, 32 * kWarps>>>(channels, n, tones, angle, turn, samples, power);
    cudaFree(angle);
}
