// Convolution: the image and the kernel are copied to shared memory without waiting for one load before the next is made: a block, of
// which a small image has one a processor, waits for memory once.
#include <cuda_pipeline.h>
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kSide = 24, kOwn = 4, kLanes = 32, kColumns = kLanes * kOwn;
constexpr int kWindow = kSide + kOwn;             // 27 are needed; whole groups of four
constexpr int kWide = kColumns + kWindow - kOwn;  // lanes next to one another load neighbouring 16 bytes: no bank conflicts

// Starts to copy what lies inside of a part of the image, four elements at a time where rows are aligned for it; the rest becomes 0.
template <int kHigh, int kThreads, bool kAligned>
__device__ void start_copy(int n, int top, int left, const float* __restrict__ image, float (*tile)[kWide]) {
    constexpr int kBy = kAligned ? 4 : 1, kLine = kWide / kBy;
    for (int e = threadIdx.y * kLanes + threadIdx.x; e < kHigh * kLine; e += kThreads) {
        const int r = e / kLine, c = e % kLine * kBy;
        if (top + r < n && left + c < n) {
            __pipeline_memcpy_async(&tile[r][c], image + (long long)(top + r) * n + left + c, sizeof(float) * kBy);
        } else {
            for (int i = 0; i < kBy; ++i) tile[r][c + i] = 0.0f;
        }
    }
}

// A thread has kDeep rows of four outputs, a block kStrips such strips.
template <int kDeep, int kStrips, bool kAligned>
__global__ void __launch_bounds__(kLanes* kStrips)
    convolve(int n, int size, const float* __restrict__ image, const float* __restrict__ kernel, float* __restrict__ out) {
    constexpr int kRows = kDeep * kStrips, kHigh = kRows + kSide - 1, kThreads = kLanes * kStrips;
    __shared__ __align__(16) float tile[kHigh][kWide];
    __shared__ __align__(16) float weight[kSide][kSide];
    const int top = blockIdx.y * kRows, left = blockIdx.x * kColumns, me = threadIdx.y * kLanes + threadIdx.x;
    for (int e = me; e < kSide * kSide; e += kThreads) __pipeline_memcpy_async(&weight[0][0] + e, kernel + e, sizeof(float));
    start_copy<kHigh, kThreads, kAligned>(n, top, left, image, tile);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int first = threadIdx.y * kDeep, column = threadIdx.x * kOwn;
    float sum[kDeep][kOwn] = {};
    for (int r = 0; r < kSide + kDeep - 1; ++r) {
        float x[kWindow];
#pragma unroll
        for (int c = 0; c < kWindow; c += 4) {
            const float4 four = *(const float4*)&tile[first + r][column + c];
            x[c] = four.x, x[c + 1] = four.y, x[c + 2] = four.z, x[c + 3] = four.w;
        }
#pragma unroll
        for (int d = 0; d < kDeep; ++d) {
            const int u = r - d;  // the row of weights that this row of the image meets for output row d
            if (u < 0 || u >= kSide) continue;
#pragma unroll
            for (int v = 0; v < kSide; v += 4) {
                const float4 w = *(const float4*)&weight[u][v];
#pragma unroll
                for (int o = 0; o < kOwn; ++o) {
                    sum[d][o] += x[v + o] * w.x;
                    sum[d][o] += x[v + o + 1] * w.y;
                    sum[d][o] += x[v + o + 2] * w.z;
                    sum[d][o] += x[v + o + 3] * w.w;
                }
            }
        }
    }
#pragma unroll
    for (int d = 0; d < kDeep; ++d)
#pragma unroll
        for (int o = 0; o < kOwn; ++o) {
            const int i = top + first + d, j = left + column + o;
            if (i < size && j < size) out[(long long)i * size + j] = sum[d][o];
        }
}

template <int kDeep, int kStrips>
void launch(int n, int size, const float* image, const float* kernel, float* out) {
    const dim3 blocks((size - 1) / kColumns + 1, (size - 1) / (kDeep * kStrips) + 1);
    const bool aligned = n % 4 == 0 && (uintptr_t)image % 16 == 0;
    (aligned ? convolve<kDeep, kStrips, true> : convolve<kDeep, kStrips, false>)<<<blocks, dim3(kLanes, kStrips)>>>(n, size, image, kernel,
                                                                                                                    out);
}

extern "C" void conv2d_valid(int n, const float* image, const float* kernel, float* out) {
    const int size = n - kSide + 1;
    if (size <= 0) return;
    // Rows share loads of their thread; a small image has too few outputs to give a thread many and every processor some.
    if (size <= 256) {
        launch<1, 4>(n, size, image, kernel, out);
    } else if (size <= 640) {
        launch<2, 8>(n, size, image, kernel, out);
    } else {
        launch<4, 8>(n, size, image, kernel, out);
    }
}
