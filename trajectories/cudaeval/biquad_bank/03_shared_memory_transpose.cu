// Biquad bank: tiles of 32 channels by 32 samples pass through shared memory, so that warps read side by side.
#include <cuda_runtime.h>

constexpr int kMost = 8;

__global__ void run(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    __shared__ float tile[32][33];
    const int first = blockIdx.x * 32, c = min(first + (int)threadIdx.x, channels - 1);  // the last block repeats its last channel
    const float* b = coefficient + (size_t)c * stages * 5;
    float* s = state + (size_t)c * stages * 2;
    float factor[kMost][5], kept[kMost][2];
#pragma unroll
    for (int k = 0; k < kMost; ++k) {
#pragma unroll
        for (int i = 0; i < 5; ++i) factor[k][i] = k < stages ? b[5 * k + i] : 0.0f;
#pragma unroll
        for (int i = 0; i < 2; ++i) kept[k][i] = k < stages ? s[2 * k + i] : 0.0f;
    }
    const int rows = min(32, channels - first);
    for (int from = 0; from < samples; from += 32) {
        const int n = from + (int)threadIdx.x, here = min(32, samples - from);
        for (int r = 0; r < rows; ++r)
            if (n < samples) tile[r][threadIdx.x] = audio[(size_t)(first + r) * samples + n];
        __syncwarp();
        for (int i = 0; (int)threadIdx.x < rows && i < here; ++i) {
            float x = tile[threadIdx.x][i];
#pragma unroll
            for (int k = 0; k < kMost; ++k) {
                if (k < stages) {
                    const float y = factor[k][0] * x + kept[k][0];
                    kept[k][0] = factor[k][1] * x - factor[k][3] * y + kept[k][1];
                    kept[k][1] = factor[k][2] * x - factor[k][4] * y;
                    x = y;
                }
            }
            tile[threadIdx.x][i] = x;
        }
        __syncwarp();
        for (int r = 0; r < rows; ++r)
            if (n < samples) audio[(size_t)(first + r) * samples + n] = tile[r][threadIdx.x];
        __syncwarp();
    }
    if ((int)threadIdx.x >= rows) return;
#pragma unroll
    for (int k = 0; k < kMost; ++k)
        if (k < stages) {
            s[2 * k] = kept[k][0];
            s[2 * k + 1] = kept[k][1];
        }
}

extern "C" void biquad_bank(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    run<<<(channels + 31) / 32, 32>>>(channels, samples, stages, coefficient, state, audio);
}
