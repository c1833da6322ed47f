#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// tone_power: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256): one thread an output element.
// block_size_tuning(block 128): another block shape.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void tone_power_1_map(int channels, int n, int tones, const float* coefficient, const short* samples,
                                 float* power) {
    const long long point = (long long)blockIdx.x * 128 + threadIdx.x;
    const int tone = point % tones;
    const int channel = point / tones;
    float c;
    float s1;
    float s2;
    if (channel < channels) {
        c = coefficient[tone];
        s1 = 0.0f;
        s2 = 0.0f;
        for (int i = 0; i < n; ++i) {
            const float s = samples[(unsigned long long)channel * n + i] * (1.0f / 32768.0f) + c * s1 - s2;
            s2 = s1;
            s1 = s;
        }
        power[(unsigned long long)channel * tones + tone] = s1 * s1 + s2 * s2 - c * s1 * s2;
    }
}

extern "C" void tone_power(int channels, int n, int tones, const float* coefficient, const short* samples,
                           float* power) {
    if (channels >= 1 && tones >= 1) {
        tone_power_1_map<<<((long long)channels * tones - 1) / 128 + 1, 128>>>(channels, n, tones, coefficient, samples,
                                                                               power);
    }
}