#include <cuda_runtime.h>

constexpr int kThreads = 128;  // and samples of a block
constexpr int kRows = 8;       // rows of the matrix that a thread works on at once
constexpr int kAhead = 8;      // reads of a thread on their way at once

// Brings a block's samples to shared memory with the mean taken off, column by column. Rows of whole fours come four numbers a read.
__device__ void bring(int samples, int dims, int first, const float* __restrict__ sample, const float* __restrict__ mean, float* centred) {
    if (dims % 4 == 0) {
        const int fours = dims / 4;
        const int all = kThreads * fours, given = min(kThreads, samples - first) * fours;
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
                float* to = centred + 4 * four * (kThreads + 1) + row;
                to[0] = v[k].x - m.x;
                to[kThreads + 1] = v[k].y - m.y;
                to[2 * (kThreads + 1)] = v[k].z - m.z;
                to[3 * (kThreads + 1)] = v[k].w - m.w;
            }
        }
    } else {
        for (int i = threadIdx.x; i < kThreads * dims; i += kThreads) {
            const int row = i / dims, j = i % dims;
            centred[j * (kThreads + 1) + row] = first + row < samples ? sample[(long long)first * dims + i] - mean[j] : 0.0f;
        }
    }
    __syncthreads();
}

// A block's samples are read back by columns.
__global__ void distances(int samples, int dims, const float* __restrict__ sample, const float* __restrict__ mean,
                          const float* __restrict__ precision, float* __restrict__ distance) {
    extern __shared__ float centred[];  // [dims][kThreads + 1]
    int first = blockIdx.x * kThreads;
    bring(samples, dims, first, sample, mean, centred);
    const float* x = centred + threadIdx.x;
    float total = 0.0f;
    int i = 0;
    for (; i + kRows <= dims; i += kRows) {  // a value of the sample is read once for eight products
        float dot[kRows] = {};
        for (int j = 0; j < dims; ++j) {
            float value = x[j * (kThreads + 1)];
#pragma unroll
            for (int r = 0; r < kRows; ++r) dot[r] += precision[(i + r) * dims + j] * value;
        }
#pragma unroll
        for (int r = 0; r < kRows; ++r) total += x[(i + r) * (kThreads + 1)] * dot[r];
    }
    for (; i < dims; ++i) {
        float dot = 0.0f;
        for (int j = 0; j < dims; ++j) dot += precision[i * dims + j] * x[j * (kThreads + 1)];
        total += x[i * (kThreads + 1)] * dot;
    }
    if (first + (int)threadIdx.x < samples) distance[first + threadIdx.x] = total;
}

extern "C" void mahalanobis(int samples, int dims, const float* sample, const float* mean, const float* precision, float* distance) {
    if (samples <= 0) return;
    size_t bytes = sizeof(float) * dims * (kThreads + 1);
    if (bytes > 48 * 1024) cudaFuncSetAttribute(distances, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    distances<<<(samples + kThreads - 1) / kThreads, kThreads, bytes>>>(samples, dims, sample, mean, precision, distance);
}
