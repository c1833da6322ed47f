// Goertzel: a thread for each channel and eight tones; samples are staged in shared memory.
#include <cuda_runtime.h>

constexpr int kThreads = 64;   // threads and channels of a block
constexpr int kTones = 8;      // of a thread
constexpr int kStretch = 32;   // samples of a tile
constexpr int kPitch = kStretch + 2;

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
    __shared__ short tile[kThreads][kPitch];
    int base = blockIdx.x * kThreads, channel = base + threadIdx.x, first = blockIdx.y * kTones;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int rows = min(kThreads, channels - base);
    Bank bank(coefficient, first, tones);
    for (int i0 = 0; i0 < n; i0 += kStretch) {
        int count = min(kStretch, n - i0);
        for (int r = warp; r < rows; r += kThreads / 32)
            if (lane < count) tile[r][lane] = samples[(size_t)(base + r) * n + i0 + lane];
        __syncthreads();
        if (threadIdx.x < rows)
            for (int i = 0; i < count; ++i) bank.feed(tile[threadIdx.x][i]);
        __syncthreads();
    }
    if (channel < channels) bank.store(power + (size_t)channel * tones, first, tones);
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    dim3 grid((channels - 1) / kThreads + 1, (tones - 1) / kTones + 1);
    recur<<<grid, kThreads>>>(channels, n, tones, coefficient, samples, power);
}
