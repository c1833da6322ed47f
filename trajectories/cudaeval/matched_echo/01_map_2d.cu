// Matched filter: one output a thread.
#include <cuda_runtime.h>

struct Sample {
    float re, im;
};

__global__ void filter(int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    const int n = blockIdx.y * blockDim.x + threadIdx.x;
    if (n >= samples) return;
    const Sample* in = echo + (size_t)blockIdx.x * samples;
    Sample sum = {0.0f, 0.0f};
    for (int k = 0; k < min(taps, samples - n); ++k) {
        sum.re += shape[k].re * in[n + k].re + shape[k].im * in[n + k].im;
        sum.im += shape[k].re * in[n + k].im - shape[k].im * in[n + k].re;
    }
    filtered[(size_t)blockIdx.x * samples + n] = sum;
}

extern "C" void matched_echo(int pulses, int samples, int taps, const Sample* shape, const Sample* echo, Sample* filtered) {
    filter<<<dim3(pulses, (samples + 255) / 256), 256>>>(samples, taps, shape, echo, filtered);
}
