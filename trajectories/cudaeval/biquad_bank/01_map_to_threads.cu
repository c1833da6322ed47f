// Biquad bank: one channel a thread, a pass over its samples for each stage.
#include <cuda_runtime.h>

__global__ void run(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    const int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    const float* b = coefficient + (size_t)c * stages * 5;
    float *s = state + (size_t)c * stages * 2, *own = audio + (size_t)c * samples;
    for (int k = 0; k < stages; ++k, b += 5, s += 2) {
        for (int n = 0; n < samples; ++n) {
            const float x = own[n], y = b[0] * x + s[0];
            s[0] = b[1] * x - b[3] * y + s[1];
            s[1] = b[2] * x - b[4] * y;
            own[n] = y;
        }
    }
}

extern "C" void biquad_bank(int channels, int samples, int stages, const float* coefficient, float* state, float* audio) {
    run<<<(channels + 127) / 128, 128>>>(channels, samples, stages, coefficient, state, audio);
}
