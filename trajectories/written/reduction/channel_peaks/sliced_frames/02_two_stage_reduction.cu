// Channel peaks: slices of frames for many blocks, then one thread for each channel over the slices' results.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSlices = 1024;

struct Peak {
    int loud, frame;
};

__global__ void find(int frames, int channels, int length, const int16_t* audio, Peak* found) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, slice = blockIdx.y;
    if (c >= channels) return;
    Peak best = {-1, 0};
    int end = min((slice + 1) * length, frames);
    for (int f = slice * length; f < end; ++f) {
        int loud = abs((int)audio[(size_t)f * channels + c]);
        if (loud > best.loud) best = {loud, f};
    }
    found[slice * channels + c] = best;
}

__global__ void join(int channels, int slices, const Peak* found, int* peak, int* at) {
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c >= channels) return;
    Peak best = {-1, 0};
    for (int s = 0; s < slices; ++s) {  // in order of frames, so the first of equals stays
        Peak other = found[s * channels + c];
        if (other.loud > best.loud) best = other;
    }
    peak[c] = best.loud, at[c] = best.frame;
}

extern "C" void channel_peaks(int frames, int channels, const int16_t* audio, int* peak, int* at) {
    int length = (frames + kSlices - 1) / kSlices, slices = (frames + length - 1) / length;
    Peak* found = nullptr;
    cudaMalloc(&found, (size_t)slices * channels * sizeof(Peak));
    find<<<dim3((channels + 63) / 64, slices), 64>>>(frames, channels, length, audio, found);
    join<<<(channels + 63) / 64, 64>>>(channels, slices, found, peak, at);
    cudaFree(found);
}
