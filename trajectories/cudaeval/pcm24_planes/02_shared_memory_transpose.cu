// Sound to planes: a block reads 32 frames of up to 32 channels in their order and turns them in shared memory; one atomic a warp is left.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 256;
constexpr int kTile = 32;

__global__ void take_apart(int frames, int channels, const uint8_t* sound, float* plane, int32_t* peak) {
    __shared__ int tile[kTile][kTile + 1];
    const int first = blockIdx.x * kTile, left = blockIdx.y * kTile, lane = threadIdx.x % kTile;
    for (int row = threadIdx.x / kTile; row < kTile; row += kThreads / kTile) {
        const int t = first + row, c = left + lane;
        if (t >= frames || c >= channels) continue;
        const uint8_t* byte = sound + ((size_t)t * channels + c) * 3;
        tile[row][lane] = (int)(byte[0] << 8 | byte[1] << 16 | (uint32_t)byte[2] << 24) >> 8;
    }
    __syncthreads();
    for (int row = threadIdx.x / kTile; row < kTile; row += kThreads / kTile) {
        const int t = first + lane, c = left + row;
        const int sample = t < frames && c < channels ? tile[lane][row] : 0;
        if (t < frames && c < channels) plane[(size_t)c * frames + t] = (float)sample / 8388608.0f;
        const int most = __reduce_max_sync(~0u, abs(sample));
        if (lane == 0 && c < channels) atomicMax(&peak[c], most);
    }
}

extern "C" void pcm24_planes(int frames, int channels, const uint8_t* sound, float* plane, int32_t* peak) {
    cudaMemsetAsync(peak, 0, channels * sizeof(int32_t));
    take_apart<<<dim3((frames - 1) / kTile + 1, (channels - 1) / kTile + 1), kThreads>>>(frames, channels, sound, plane, peak);
}
