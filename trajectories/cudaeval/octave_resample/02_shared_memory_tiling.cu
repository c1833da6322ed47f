// Rational resampling: old samples and the filter in shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kMade = 256;  // samples of a block

// A block needs a stretch of old samples a little longer than its new ones are apart, and the whole filter: both lie in shared memory, with
// zeros before the first sample.
__global__ void __launch_bounds__(kMade)
    resample(int length, int up, int down, int taps, int stretch, const int16_t* sound, const float* filter, float* out) {
    extern __shared__ float shared[];
    float *weight = shared, *old = shared + taps * up;
    const int made = length * up / down, first = blockIdx.x * kMade, begin = first * down / up - (taps - 1);
    for (int k = threadIdx.x; k < taps * up; k += kMade) weight[k] = filter[k];
    for (int k = threadIdx.x; k < stretch; k += kMade) {
        const int at = begin + k;
        old[k] = at >= 0 && at < length ? (float)sound[(size_t)blockIdx.y * length + at] : 0.0f;
    }
    __syncthreads();
    const int i = first + threadIdx.x;
    if (i >= made) return;
    const float* newest = old + (i * down / up - begin);
    const float* branch = weight + i * down % up;
    float sum = 0.0f;
    for (int t = 0; t < taps; ++t) sum += branch[t * up] * newest[-t];
    out[(size_t)blockIdx.y * made + i] = sum;
}

extern "C" void octave_resample(int channels, int length, int up, int down, int taps, const int16_t* sound, const float* filter,
                                float* out) {
    const int made = length * up / down, stretch = (kMade * down) / up + taps + 1, bytes = (taps * up + stretch) * (int)sizeof(float);
    if (made == 0) return;
    cudaFuncSetAttribute(resample, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    resample<<<dim3((made - 1) / kMade + 1, channels), kMade, bytes>>>(length, up, down, taps, stretch, sound, filter, out);
}
