// Guided filter: both rounds of windows on one tile with a rim of eight; lines never leave shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRadius = 4, kSpan = 2 * kRadius + 1;

// Pixels of the window around `at` that lie inside.
__device__ int inside(int at, int count) { return min(at + kRadius, count - 1) - max(at - kRadius, 0) + 1; }

__device__ float2 fit_line(int area, int g, int n, int gg, int gn, float softness) {
    const float spread = area * gg - g * g, shared = area * gn - g * n;
    const float slope = shared / (spread + softness * (area * area));
    return make_float2(slope, (n - slope * g) / area);
}

constexpr int kTile = 32, kLines = kTile + 2 * kRadius, kPixels = kTile + 4 * kRadius, kThreads = 512;

__global__ void __launch_bounds__(kThreads)
    filter(int height, int width, float softness, const uint8_t* guide, const uint8_t* noisy, float* smooth) {
    extern __shared__ char memory[];
    uchar2* pixel = reinterpret_cast<uchar2*>(memory);              // kPixels x kPixels
    int4* across = reinterpret_cast<int4*>(pixel + kPixels * kPixels);  // kPixels x kLines
    float2* line = reinterpret_cast<float2*>(across + kPixels * kLines);  // kLines x kLines
    float2* lines_across = reinterpret_cast<float2*>(across);       // kLines x kTile, when the sums before are done with
    const int left = blockIdx.x * kTile, top = blockIdx.y * kTile;
    for (int i = threadIdx.x; i < kPixels * kPixels; i += kThreads) {
        const int y = top - 2 * kRadius + i / kPixels, x = left - 2 * kRadius + i % kPixels;
        const bool known = y >= 0 && x >= 0 && y < height && x < width;
        const size_t at = (size_t)y * width + x;
        pixel[i] = known ? make_uchar2(guide[at], noisy[at]) : make_uchar2(0, 0);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kPixels * kLines; i += kThreads) {
        int4 sum = make_int4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < kSpan; ++k) {
            const uchar2 p = pixel[i / kLines * kPixels + i % kLines + k];
            sum.x += p.x;
            sum.y += p.y;
            sum.z += p.x * p.x;
            sum.w += p.x * p.y;
        }
        across[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kLines * kLines; i += kThreads) {
        const int v = i / kLines, u = i % kLines, y = top - kRadius + v, x = left - kRadius + u;
        int4 all = make_int4(0, 0, 0, 0);
#pragma unroll
        for (int k = 0; k < kSpan; ++k) {
            const int4 sum = across[(v + k) * kLines + u];
            all.x += sum.x;
            all.y += sum.y;
            all.z += sum.z;
            all.w += sum.w;
        }
        const bool known = y >= 0 && x >= 0 && y < height && x < width;
        const int area = inside(x, width) * inside(y, height);
        line[i] = known ? fit_line(area, all.x, all.y, all.z, all.w, softness) : make_float2(0.0f, 0.0f);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kLines * kTile; i += kThreads) {
        float2 sum = make_float2(0.0f, 0.0f);
#pragma unroll
        for (int k = 0; k < kSpan; ++k) {
            const float2 one = line[i / kTile * kLines + i % kTile + k];
            sum.x += one.x;
            sum.y += one.y;
        }
        lines_across[i] = sum;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kTile * kTile; i += kThreads) {
        const int v = i / kTile, u = i % kTile, y = top + v, x = left + u;
        if (y >= height || x >= width) continue;
        float a = 0.0f, b = 0.0f;
#pragma unroll
        for (int k = 0; k < kSpan; ++k) {
            const float2 sum = lines_across[(v + k) * kTile + u];
            a += sum.x;
            b += sum.y;
        }
        const int own = pixel[(v + 2 * kRadius) * kPixels + u + 2 * kRadius].x;
        smooth[(size_t)y * width + x] = (a * own + b) / (inside(x, width) * inside(y, height));
    }
}

extern "C" void guided_smooth(int height, int width, float softness, const uint8_t* guide, const uint8_t* noisy, float* smooth) {
    const dim3 tiles((width - 1) / kTile + 1, (height - 1) / kTile + 1);
    const int bytes = kPixels * kPixels * sizeof(uchar2) + kPixels * kLines * sizeof(int4) + kLines * kLines * sizeof(float2);
    cudaFuncSetAttribute(filter, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    filter<<<tiles, kThreads, bytes>>>(height, width, softness, guide, noisy, smooth);
}
