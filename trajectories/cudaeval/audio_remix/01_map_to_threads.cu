// Remix of interleaved channels: one thread a frame.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void remix(long long frames, int inputs, int outputs, const int16_t* sound, const int32_t* source, const int32_t* gain,
                      int16_t* mixed) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= frames) return;
    for (int o = 0; o < outputs; ++o) {
        const int sample = source[o] < 0 ? 0 : (sound[t * inputs + source[o]] * gain[o] + 2048) >> 12;
        mixed[t * outputs + o] = (int16_t)max(-32768, min(32767, sample));
    }
}

extern "C" void audio_remix(long long frames, int inputs, int outputs, const int16_t* sound, const int32_t* source,
                            const int32_t* gain, int16_t* mixed) {
    remix<<<(unsigned)((frames - 1) / 256 + 1), 256>>>(frames, inputs, outputs, sound, source, gain, mixed);
}
