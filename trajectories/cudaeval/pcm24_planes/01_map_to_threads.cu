// Sound to planes: one sample a thread, neighbouring threads in neighbouring frames; peaks by atomics.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;

__global__ void take_apart(int frames, int channels, const uint8_t* sound, float* plane, int32_t* peak) {
    const int t = blockIdx.x * kThreads + threadIdx.x, c = blockIdx.y;
    if (t >= frames) return;
    const uint8_t* byte = sound + ((size_t)t * channels + c) * 3;
    const int sample = (int)(byte[0] << 8 | byte[1] << 16 | (uint32_t)byte[2] << 24) >> 8;
    plane[(size_t)c * frames + t] = (float)sample / 8388608.0f;
    atomicMax(&peak[c], abs(sample));
}

extern "C" void pcm24_planes(int frames, int channels, const uint8_t* sound, float* plane, int32_t* peak) {
    cudaMemsetAsync(peak, 0, channels * sizeof(int32_t));
    take_apart<<<dim3((frames - 1) / kThreads + 1, channels), kThreads>>>(frames, channels, sound, plane, peak);
}
