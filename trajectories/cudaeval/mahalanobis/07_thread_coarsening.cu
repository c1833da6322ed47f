#include <cuda_runtime.h>

constexpr int kThreads = 64, kSamples = 2 * kThreads;  // two samples a thread, so that a factor is read for two products
constexpr int kRows = 8;       // rows of the matrix that a thread works on at once
constexpr int kAhead = 8;      // reads of a thread on their way at once

// The upper triangle of precision + its transpose, the diagonal once: the same form, with half of the products.
// Rows are laid out in bands of eight, [band][column][row in the band], so that eight factors of a column lie together.
__global__ void fold(int dims, int bands, const float* __restrict__ precision, float* __restrict__ folded) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= bands * dims * kRows) return;
    int i = e / (dims * kRows) * kRows + e % kRows, j = e / kRows % dims;
    float factor = 0.0f;
    if (i < dims && j >= i) factor = precision[i * dims + j] + (j > i ? precision[j * dims + i] : 0.0f);
    folded[e] = factor;
}

// Brings a block's samples to shared memory with the mean taken off, column by column. Rows of whole fours come four numbers a read.
__device__ void bring(int samples, int dims, int first, const float* __restrict__ sample, const float* __restrict__ mean, float* centred) {
    if (dims % 4 == 0) {
        const int fours = dims / 4;
        const int all = kSamples * fours, given = min(kSamples, samples - first) * fours;
        const float4* from = reinterpret_cast<const float4*>(sample + (long long)first * dims);
        const float4* centre = reinterpret_cast<const float4*>(mean);
        for (int start = threadIdx.x; start < all; start += kAhead * kThreads) {
            float4 v[kAhead];
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                const int i = start + k * kThreads;
                v[k] = i < given ? from[i] : float4{};
            }
#pragma unroll
            for (int k = 0; k < kAhead; ++k) {
                const int i = start + k * kThreads, row = i / fours, four = i % fours;
                if (i >= all) break;
                const float4 m = centre[four];
                float* to = centred + 4 * four * (kSamples + 1) + row;
                to[0] = v[k].x - m.x;
                to[kSamples + 1] = v[k].y - m.y;
                to[2 * (kSamples + 1)] = v[k].z - m.z;
                to[3 * (kSamples + 1)] = v[k].w - m.w;
            }
        }
    } else {
        for (int i = threadIdx.x; i < kSamples * dims; i += kThreads) {
            const int row = i / dims, j = i % dims;
            centred[j * (kSamples + 1) + row] = first + row < samples ? sample[(long long)first * dims + i] - mean[j] : 0.0f;
        }
    }
    __syncthreads();
}

// A block's samples are read back by columns.
__global__ void distances(int samples, int dims, int bands, const float* __restrict__ sample, const float* __restrict__ mean,
                          const float* __restrict__ folded, float* __restrict__ distance) {
    extern __shared__ float centred[];  // [dims][kSamples + 1]
    int first = blockIdx.x * kSamples;
    bring(samples, dims, first, sample, mean, centred);
    const float* x = centred + threadIdx.x;
    float total = 0.0f, total2 = 0.0f;
    for (int band = 0; band < bands; ++band) {
        float dot[kRows] = {}, dot2[kRows] = {};
        for (int j = band * kRows; j < dims; ++j) {  // what lies left of the band's diagonal is zero
            float value = x[j * (kSamples + 1)], value2 = x[j * (kSamples + 1) + kThreads];
            const float* factor = folded + ((long long)band * dims + j) * kRows;
#pragma unroll
            for (int r = 0; r < kRows; r += 4) {
                float4 four = *reinterpret_cast<const float4*>(factor + r);
                dot[r] += four.x * value;
                dot2[r] += four.x * value2;
                dot[r + 1] += four.y * value;
                dot2[r + 1] += four.y * value2;
                dot[r + 2] += four.z * value;
                dot2[r + 2] += four.z * value2;
                dot[r + 3] += four.w * value;
                dot2[r + 3] += four.w * value2;
            }
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r) {
            if (band * kRows + r >= dims) break;
            total += x[(band * kRows + r) * (kSamples + 1)] * dot[r];
            total2 += x[(band * kRows + r) * (kSamples + 1) + kThreads] * dot2[r];
        }
    }
    int s = first + threadIdx.x;
    if (s < samples) distance[s] = total;
    if (s + kThreads < samples) distance[s + kThreads] = total2;
}

extern "C" void mahalanobis(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    if (samples <= 0) return;
    int bands = (dims + kRows - 1) / kRows, factors = bands * dims * kRows;
    float* folded = nullptr;
    cudaMallocAsync(&folded, sizeof(float) * factors, 0);
    fold<<<(factors + 255) / 256, 256>>>(dims, bands, precision, folded);
    size_t bytes = sizeof(float) * dims * (kSamples + 1);
    if (bytes > 48 * 1024) cudaFuncSetAttribute(distances, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    distances<<<(samples + kSamples - 1) / kSamples, kThreads, bytes>>>(samples, dims, bands, sample, mean, folded, distance);
    cudaFreeAsync(folded, 0);
}
