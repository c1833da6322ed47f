#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// channel_peaks: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void channel_peaks_1_map(int channels, int* peak) {
    const int c = blockIdx.x * 256 + threadIdx.x;
    if (c < channels) {
        peak[c] = -1;
    }
}

__global__ void channel_peaks_2_map(int frames, int channels, const short* audio, int* peak, int* at) {
    const int c = blockIdx.x * 256 + threadIdx.x;
    if (c < channels) {
        for (int f = 0; f < frames; ++f) {
            const int loud = audio[(long long)f * channels + c] < 0 ? -(int)audio[(long long)f * channels + c]
                                                                    : audio[(long long)f * channels + c];
            if (loud > peak[c]) {
                peak[c] = loud;
                at[c] = f;
            }
        }
    }
}

extern "C" void channel_peaks(int frames, int channels, const short* audio, int* peak, int* at) {
    if (channels >= 1) {
        channel_peaks_1_map<<<(channels - 1) / 256 + 1, 256>>>(channels, peak);
    }
    if (channels >= 1 && frames >= 1) {
        channel_peaks_2_map<<<(channels - 1) / 256 + 1, 256>>>(frames, channels, audio, peak, at);
    }
}