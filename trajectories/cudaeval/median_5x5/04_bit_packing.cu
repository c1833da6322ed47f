// Median of 5 x 5 pixels: two neighbouring pixels a thread, packed in the halves of a word.
#include <cuda_runtime.h>

__device__ int clamp_to(int value, int last) { return min(max(value, 0), last); }

// Two pixels in the halves of a word: one instruction finds both minima.
__device__ void order(unsigned int& a, unsigned int& b) {
    const unsigned int low = __vminu2(a, b);
    b = __vmaxu2(a, b);
    a = low;
}

// Moves the smallest of v[0..N-1] to v[0] and the largest to v[N-1].
template <int N>
__device__ void extremes(unsigned int (&v)[14]) {
#pragma unroll
    for (int i = 0; i + 1 < N; ++i) order(v[i], v[i + 1]);
#pragma unroll
    for (int i = N - 2; i > 0; --i) order(v[i - 1], v[i]);
}

// Of 14 out of 25 values neither the smallest nor the largest is the median: both are forgotten, the next value takes a place, and so on.
template <int N>
__device__ unsigned int forget(unsigned int (&v)[14], const unsigned int (&all)[25]) {
    extremes<N>(v);
    if constexpr (N == 3) {
        return v[1];
    } else {
        v[0] = all[28 - N];
        return forget<N - 1>(v, all);
    }
}

__global__ void median(int height, int width, const unsigned char* pixel, unsigned char* out) {
    __shared__ unsigned char tile[8 + 4][64 + 4];
    const int left = blockIdx.x * 64, top = blockIdx.y * 8;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < (8 + 4) * (64 + 4); i += 256) {
        const int row = i / (64 + 4), col = i % (64 + 4);
        tile[row][col] = pixel[(size_t)clamp_to(top + row - 2, height - 1) * width + clamp_to(left + col - 2, width - 1)];
    }
    __syncthreads();
    const int x = left + 2 * threadIdx.x, y = top + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned int all[25], v[14];
#pragma unroll
    for (int row = 0; row < 5; ++row) {
        unsigned int here = tile[threadIdx.y + row][2 * threadIdx.x];
#pragma unroll
        for (int col = 0; col < 5; ++col) {
            const unsigned int next = tile[threadIdx.y + row][2 * threadIdx.x + col + 1];
            all[5 * row + col] = here | next << 16;
            here = next;
        }
    }
#pragma unroll
    for (int i = 0; i < 14; ++i) v[i] = all[i];
    const unsigned int both = forget<14>(v, all);
    unsigned char* to = out + (size_t)y * width + x;
    to[0] = (unsigned char)both;
    if (x + 1 < width) to[1] = (unsigned char)(both >> 16);
}

extern "C" void median_5x5(int height, int width, const unsigned char* pixel, unsigned char* out) {
    median<<<dim3((width - 1) / 64 + 1, (height - 1) / 8 + 1), dim3(32, 8)>>>(height, width, pixel, out);
}
