// Median of 5 x 5 pixels: selection by forgetting extremes, a fixed sequence of minima and maxima in registers.
#include <cuda_runtime.h>

__device__ int clamp_to(int value, int last) { return min(max(value, 0), last); }

__device__ void order(int& a, int& b) {
    const int low = min(a, b);
    b = max(a, b);
    a = low;
}

// Moves the smallest of v[0..N-1] to v[0] and the largest to v[N-1].
template <int N>
__device__ void extremes(int (&v)[14]) {
#pragma unroll
    for (int i = 0; i + 1 < N; ++i) order(v[i], v[i + 1]);
#pragma unroll
    for (int i = N - 2; i > 0; --i) order(v[i - 1], v[i]);
}

// Of 14 out of 25 values neither the smallest nor the largest is the median: both are forgotten, the next value takes a place, and so on.
template <int N>
__device__ int forget(int (&v)[14], const int (&all)[25]) {
    extremes<N>(v);
    if constexpr (N == 3) {
        return v[1];
    } else {
        v[0] = all[28 - N];
        return forget<N - 1>(v, all);
    }
}

__global__ void median(int height, int width, const unsigned char* pixel, unsigned char* out) {
    __shared__ unsigned char tile[8 + 4][32 + 4];
    const int left = blockIdx.x * 32, top = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < (8 + 4) * (32 + 4); i += 256) {
        const int row = i / (32 + 4), col = i % (32 + 4);
        tile[row][col] = pixel[(size_t)clamp_to(top + row - 2, height - 1) * width + clamp_to(left + col - 2, width - 1)];
    }
    __syncthreads();
    const int x = left + threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height) return;
    int all[25], v[14];
#pragma unroll
    for (int i = 0; i < 25; ++i) all[i] = tile[threadIdx.y + i / 5][threadIdx.x + i % 5];
#pragma unroll
    for (int i = 0; i < 14; ++i) v[i] = all[i];
    out[(size_t)y * width + x] = (unsigned char)forget<14>(v, all);
}

extern "C" void median_5x5(int height, int width, const unsigned char* pixel, unsigned char* out) {
    median<<<dim3((width - 1) / 32 + 1, (height - 1) / 8 + 1), dim3(32, 8)>>>(height, width, pixel, out);
}
