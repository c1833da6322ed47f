// Biquad bank: a sample goes through all stages at once; coefficients and states stay in registers.
#include <cuda_runtime.h>

constexpr int kMost = 8;

__global__ void run(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    const float* b = coefficient + (size_t)c * stages * 5;
    float *s = state + (size_t)c * stages * 2, *own = audio + (size_t)c * samples;
    float factor[kMost][5], kept[kMost][2];
#pragma unroll
    for (int k = 0; k < kMost; ++k) {
#pragma unroll
        for (int i = 0; i < 5; ++i) factor[k][i] = k < stages ? b[5 * k + i] : 0.0f;
#pragma unroll
        for (int i = 0; i < 2; ++i) kept[k][i] = k < stages ? s[2 * k + i] : 0.0f;
    }
    for (int n = 0; n < samples; ++n) {
        float x = own[n];
#pragma unroll
        for (int k = 0; k < kMost; ++k) {
            if (k < stages) {
                const float y = factor[k][0] * x + kept[k][0];
                kept[k][0] = factor[k][1] * x - factor[k][3] * y + kept[k][1];
                kept[k][1] = factor[k][2] * x - factor[k][4] * y;
                x = y;
            }
        }
        own[n] = x;
    }
#pragma unroll
    for (int k = 0; k < kMost; ++k)
        if (k < stages) {
            s[2 * k] = kept[k][0];
            s[2 * k + 1] = kept[k][1];
        }
}

extern "C" void biquad_bank(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    run<<<(channels + 127) / 128, 128>>>(channels, samples, stages, coefficient, state, audio);
}
