// Recalibration: both dense layers of an image are one block's.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void average(int planes, int pixels, const float* image, float* mean) {
    const int i = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= planes) return;
    float sum = 0.0f;
    for (int p = lane; p < pixels; p += 32) sum += image[(size_t)i * pixels + p];
    sum = warp_sum(sum);
    if (lane == 0) mean[i] = sum / pixels;
}

// The gates of one image, by a block: the narrow layer stays in shared memory.
__global__ void open_gates(int channels, const float* mean, const float* squeeze, const float* excite, float* gate) {
    extern __shared__ float hidden[];
    const int narrow = channels / 4;
    const float* in = mean + (size_t)blockIdx.x * channels;
    for (int r = threadIdx.x; r < narrow; r += 128) {
        const float* own = squeeze + (size_t)r * (channels + 1);
        float sum = own[channels];
        for (int c = 0; c < channels; ++c) sum += own[c] * in[c];
        hidden[r] = fmaxf(sum, 0.0f);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < channels; c += 128) {
        const float* own = excite + (size_t)c * (narrow + 1);
        float sum = own[narrow];
        for (int r = 0; r < narrow; ++r) sum += own[r] * hidden[r];
        gate[(size_t)blockIdx.x * channels + c] = 1.0f / (1.0f + expf(-sum));
    }
}

__global__ void scale(size_t values, int pixels, const float* image, const float* skip, const float* gate, float* out) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < values) out[i] = fmaxf(image[i] * gate[i / pixels] + skip[i], 0.0f);
}

extern "C" void recalibrate_channels(int batch, int channels, int pixels, const float* image, const float* skip, const float* squeeze,
                                     const float* excite, float* out, float* gate) {
    const size_t values = (size_t)batch * channels * pixels;
    float* mean = nullptr;
    cudaMallocAsync(&mean, sizeof(float) * batch * channels, 0);
    average<<<(batch * channels + 3) / 4, 128>>>(batch * channels, pixels, image, mean);
    open_gates<<<batch, 128, sizeof(float) * (channels / 4)>>>(channels, mean, squeeze, excite, gate);
    scale<<<(unsigned)((values + 255) / 256), 256>>>(values, pixels, image, skip, gate, out);
    cudaFreeAsync(mean, 0);
}
