// A filter bank of 32 channels: one thread an output, which filters all 32 branches for itself.
#include <cuda_runtime.h>

__global__ void split(long long outputs, const float* signal, const float* prototype, float* out) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= outputs) return;
    int c = (int)(i % 32);
    const float* in = signal + i / 32 * 64;
    float re = 0.0f, im = 0.0f;
    for (int m = 0; m < 32; ++m) {
        float x = 0.0f, y = 0.0f;
        for (int t = 0; t < 8; ++t) {
            x += prototype[32 * t + m] * in[2 * (32 * t + m)];
            y += prototype[32 * t + m] * in[2 * (32 * t + m) + 1];
        }
        float sine, cosine;
        sincospif(-(c * m % 32) / 16.0f, &sine, &cosine);
        re += x * cosine - y * sine;
        im += x * sine + y * cosine;
    }
    out[2 * i] = re;
    out[2 * i + 1] = im;
}

extern "C" void channelizer(int frames, const float* signal, const float* prototype, float* out) {
    long long outputs = 32LL * frames;
    if (outputs > 0) split<<<(unsigned)((outputs + 255) / 256), 256>>>(outputs, signal, prototype, out);
}
