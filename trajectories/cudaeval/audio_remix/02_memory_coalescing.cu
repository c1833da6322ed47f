// Remix of interleaved channels: one thread a sample, so that neighbours write side by side.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void remix(long long samples, int inputs, int outputs, const int16_t* __restrict__ sound, const int32_t* __restrict__ source,
                      const int32_t* __restrict__ gain, int16_t* __restrict__ mixed) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= samples) return;
    const long long t = i / outputs;
    const int o = (int)(i - t * outputs);
    const int sample = source[o] < 0 ? 0 : (sound[t * inputs + source[o]] * gain[o] + 2048) >> 12;
    mixed[i] = (int16_t)max(-32768, min(32767, sample));
}

extern "C" void audio_remix(long long frames, int inputs, int outputs, const int16_t* sound, const int32_t* source,
                            const int32_t* gain, int16_t* mixed) {
    const long long samples = frames * outputs;
    remix<<<(unsigned)((samples - 1) / 256 + 1), 256>>>(samples, inputs, outputs, sound, source, gain, mixed);
}
