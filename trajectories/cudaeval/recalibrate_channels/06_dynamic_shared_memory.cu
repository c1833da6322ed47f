// Recalibration: one kernel, a block an image, which stays in shared memory from the averages to the result.
#include <cuda_runtime.h>

#include <cstddef>

__device__ float warp_sum(float value) {
    for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(0xffffffffu, value, apart);
    return value;
}

__device__ float4 lit(float4 v, float gate, float4 s) {
    return {fmaxf(v.x * gate + s.x, 0.0f), fmaxf(v.y * gate + s.y, 0.0f), fmaxf(v.z * gate + s.z, 0.0f), fmaxf(v.w * gate + s.w, 0.0f)};
}

constexpr int kWarps = 16;

__global__ void __launch_bounds__(32 * kWarps)
    recalibrate(int channels, int pieces, const float4* __restrict__ image, const float4* __restrict__ skip,
                const float* __restrict__ squeeze, const float* __restrict__ excite, float4* __restrict__ out, float* __restrict__ gate) {
    extern __shared__ float4 held[];
    float *mean = reinterpret_cast<float*>(held + channels * pieces), *hidden = mean + channels;
    const size_t at = (size_t)blockIdx.x * channels * pieces;
    for (int c = threadIdx.x / 32; c < channels; c += kWarps) {
        float sum = 0.0f;
        for (int p = threadIdx.x % 32; p < pieces; p += 32) {
            const float4 v = image[at + c * pieces + p];
            held[c * pieces + p] = v;
            sum += v.x + v.y + v.z + v.w;
        }
        sum = warp_sum(sum);
        if (threadIdx.x % 32 == 0) mean[c] = sum / (4 * pieces);
    }
    __syncthreads();
    const int narrow = channels / 4, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    for (int r = warp; r < narrow; r += kWarps) {
        const float* own = squeeze + (size_t)r * (channels + 1);
        float sum = 0.0f;
        for (int c = lane; c < channels; c += 32) sum += own[c] * mean[c];
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
        if (lane % 8 == 0 && c < channels) gate[(size_t)blockIdx.x * channels + c] = mean[c] = 1.0f / (1.0f + expf(-sum - own[narrow]));
    }
    __syncthreads();
    for (int c = warp; c < channels; c += kWarps) {
        const float open = mean[c];  // which the gates have replaced
        for (int p = lane; p < pieces; p += 32) out[at + c * pieces + p] = lit(held[c * pieces + p], open, skip[at + c * pieces + p]);
    }
}

extern "C" void recalibrate_channels(int batch, int channels, int pixels, const float* image, const float* skip, const float* squeeze,
                                     const float* excite, float* out, float* gate) {
    const size_t bytes = sizeof(float) * ((size_t)channels * pixels + channels + channels / 4);
    cudaFuncSetAttribute(recalibrate, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    recalibrate<<<batch, 32 * kWarps, bytes>>>(channels, pixels / 4, reinterpret_cast<const float4*>(image),
                                               reinterpret_cast<const float4*>(skip), squeeze, excite,
                                               reinterpret_cast<float4*>(out), gate);
}
