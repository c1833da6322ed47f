#include <cuda_runtime.h>

#include <cfloat>
#include <climits>
#include <cmath>

// channel_peaks: generated from the sequential reference by regrapht's transform engine.
//
// map_to_threads(block 256) [nest 1, 2]: one thread an output element.
// block_size_tuning(block 128) [nest 1, 2]: another block shape.
// grid_stride_loop(blocks 1056) [nest 1, 2]: a fixed number of blocks strides over all points.
//
// A failed allocation or launch leaves its code in cudaGetLastError(), and the outputs untouched.

__global__ void channel_peaks_1_map(int channels, int* peak) {
    for (unsigned int point = blockIdx.x * 128 + threadIdx.x; point < (unsigned int)channels;
         point += gridDim.x * 128) {
        const int c = point;
        peak[c] = -1;
    }
}

__global__ void channel_peaks_2_map(int frames, int channels, const short* audio, int* peak, int* at) {
    for (unsigned int point = blockIdx.x * 128 + threadIdx.x; point < (unsigned int)channels;
         point += gridDim.x * 128) {
        const int c = point;
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
        channel_peaks_1_map<<<min((channels - 1) / 128 + 1, 1056), 128>>>(channels, peak);
    }
    if (channels >= 1 && frames >= 1) {
        channel_peaks_2_map<<<min((channels - 1) / 128 + 1, 1056), 128>>>(frames, channels, audio, peak, at);
    }
}