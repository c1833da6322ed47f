// Channel peaks: a thread for each channel walks all frames.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void find(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    int best = -1, where = 0;
    for (int f = 0; f < frames; ++f) {
        int loud = abs((int)audio[(size_t)f * channels + c]);
        if (loud > best) best = loud, where = f;
    }
    peak[c] = best, at[c] = where;
}

extern "C" void channel_peaks(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    find<<<(channels + 127) / 128, 128>>>(frames, channels, audio, peak, at);
}
