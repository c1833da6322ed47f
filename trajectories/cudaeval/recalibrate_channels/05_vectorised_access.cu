// Recalibration: four pixels at a time.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__global__ void average(int planes, int pieces, const float4* image, float* mean) {
    const int i = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (i >= planes) return;
    float sum = 0.0f;
    for (int p = lane; p < pieces; p += 32) {
        const float4 v = image[(size_t)i * pieces + p];
        sum += v.x + v.y + v.z + v.w;
    }
    sum = warp_sum(sum);
    if (lane == 0) mean[i] = sum / (4 * pieces);
}

constexpr int kWarps = 8;

// The gates of one image, by a block: a warp has a row of the first layer, eight lanes one of the second.
__global__ void open_gates(int channels, const float* __restrict__ mean, const float* __restrict__ squeeze,
                           const float* __restrict__ excite, float* __restrict__ gate) {
    extern __shared__ float hidden[];
    const float* in = mean + (size_t)blockIdx.x * channels;
    const int narrow = channels / 4, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = warp; r < narrow; r += kWarps) {
        const float* own = squeeze + (size_t)r * (channels + 1);
        float sum = 0.0f;
        for (int c = lane; c < channels; c += 32) sum += own[c] * in[c];
        sum = warp_sum(sum) + own[channels];
        if (lane == 0) hidden[r] = fmaxf(sum, 0.0f);
    }
    __syncthreads();
    for (int start = 0; start < channels; start += 4 * kWarps) {
        const int c = start + threadIdx.x / 8;
        const float* own = excite + (size_t)min(c, channels - 1) * (narrow + 1);
        float sum = 0.0f;
        for (int r = lane % 8; r < narrow; r += 8) sum += own[r] * hidden[r];
        for (int apart = 4; apart > 0; apart /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, apart);
        if (lane % 8 == 0 && c < channels) gate[(size_t)blockIdx.x * channels + c] = 1.0f / (1.0f + expf(-sum - own[narrow]));
    }
}

__device__ float4 lit(float4 v, float gate, float4 s) {
    return {fmaxf(v.x * gate + s.x, 0.0f), fmaxf(v.y * gate + s.y, 0.0f), fmaxf(v.z * gate + s.z, 0.0f), fmaxf(v.w * gate + s.w, 0.0f)};
}

__global__ void scale(size_t all, int pieces, const float4* image, const float4* skip, const float* gate, float4* out) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < all) out[i] = lit(image[i], gate[i / pieces], skip[i]);
}

extern "C" void recalibrate_channels(int batch, int channels, int pixels, const float* image, const float* skip, const float* squeeze,
                                     const float* excite, float* out, float* gate) {
    const size_t values = (size_t)batch * channels * pixels;
    float* mean = nullptr;
    cudaMallocAsync(&mean, sizeof(float) * batch * channels, 0);
    const float4* in = reinterpret_cast<const float4*>(image);
    average<<<(batch * channels + 3) / 4, 128>>>(batch * channels, pixels / 4, in, mean);
    open_gates<<<batch, 32 * kWarps, sizeof(float) * (channels / 4)>>>(channels, mean, squeeze, excite, gate);
    scale<<<(unsigned)((values / 4 + 255) / 256), 256>>>(values / 4, pixels / 4, in, reinterpret_cast<const float4*>(skip), gate,
                                                         reinterpret_cast<float4*>(out));
    cudaFreeAsync(mean, 0);
}
