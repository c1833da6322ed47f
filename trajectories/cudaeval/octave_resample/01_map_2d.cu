// Rational resampling: a thread a new sample, channels along y.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void resample(int channels, int length, int up, int down, int taps, const int16_t* sound, const float* filter, float* out) {
    const int made = length * up / down, i = blockIdx.x * 256 + threadIdx.x, c = blockIdx.y;
    if (i >= made) return;
    const int branch = i * down % up, newest = i * down / up;
    float sum = 0.0f;
    for (int t = 0; t < taps; ++t) {
        if (newest - t >= 0) sum += filter[t * up + branch] * sound[(size_t)c * length + newest - t];
    }
    out[(size_t)c * made + i] = sum;
}

extern "C" void octave_resample(int channels, int length, int up, int down, int taps, const int16_t* sound, const float* filter,
                                float* out) {
    const int made = length * up / down;
    if (made > 0) resample<<<dim3((made - 1) / 256 + 1, channels), 256>>>(channels, length, up, down, taps, sound, filter, out);
}
