// Recalibration: four kernels, one number a thread.
#include <cuda_runtime.h>

#include <cstddef>

__global__ void average(int planes, int pixels, const float* image, float* mean) {
    const int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= planes) return;
    float sum = 0.0f;
    for (int p = 0; p < pixels; ++p) sum += image[(size_t)i * pixels + p];
    mean[i] = sum / pixels;
}

__global__ void narrow_down(int batch, int channels, const float* mean, const float* squeeze, float* hidden) {
    const int i = blockIdx.x * 64 + threadIdx.x, narrow = channels / 4;
    if (i >= batch * narrow) return;
    const float *in = mean + i / narrow * channels, *own = squeeze + (size_t)(i % narrow) * (channels + 1);
    float sum = own[channels];
    for (int c = 0; c < channels; ++c) sum += own[c] * in[c];
    hidden[i] = fmaxf(sum, 0.0f);
}

__global__ void widen(int batch, int channels, const float* hidden, const float* excite, float* gate) {
    const int i = blockIdx.x * 64 + threadIdx.x, narrow = channels / 4;
    if (i >= batch * channels) return;
    const float *in = hidden + i / channels * narrow, *own = excite + (size_t)(i % channels) * (narrow + 1);
    float sum = own[narrow];
    for (int r = 0; r < narrow; ++r) sum += own[r] * in[r];
    gate[i] = 1.0f / (1.0f + expf(-sum));
}

__global__ void scale(size_t values, int pixels, const float* image, const float* skip, const float* gate, float* out) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < values) out[i] = fmaxf(image[i] * gate[i / pixels] + skip[i], 0.0f);
}

extern "C" void recalibrate_channels(int batch, int channels, int pixels, const float* image, const float* skip, const float* squeeze,
                                     const float* excite, float* out, float* gate) {
    const size_t values = (size_t)batch * channels * pixels;
    float *mean = nullptr, *hidden = nullptr;
    cudaMallocAsync(&mean, sizeof(float) * batch * channels, 0);
    cudaMallocAsync(&hidden, sizeof(float) * batch * (channels / 4), 0);
    average<<<(batch * channels + 63) / 64, 64>>>(batch * channels, pixels, image, mean);
    narrow_down<<<(batch * (channels / 4) + 63) / 64, 64>>>(batch, channels, mean, squeeze, hidden);
    widen<<<(batch * channels + 63) / 64, 64>>>(batch, channels, hidden, excite, gate);
    scale<<<(unsigned)((values + 255) / 256), 256>>>(values, pixels, image, skip, gate, out);
    cudaFreeAsync(mean, 0);
    cudaFreeAsync(hidden, 0);
}
