// Median of 5 x 5 pixels: 2 x 2 pixels a thread; the 20 pixels that an upper and a lower window share are selected from once.
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

// Goes on to forget extremes while values of `more` are left, down to N = 3, whose middle is the median.
template <int N>
__device__ unsigned int forget(unsigned int (&v)[14], const unsigned int (&more)[5]) {
    extremes<N>(v);
    if constexpr (N == 3) {
        return v[1];
    } else {
        v[0] = more[8 - N];
        return forget<N - 1>(v, more);
    }
}

// The same for the shared values, down to N = 8: its extremes are gone, and six values remain in v[1..6].
template <int N>
__device__ void forget_shared(unsigned int (&v)[14], const unsigned int (&shared)[20]) {
    extremes<N>(v);
    if constexpr (N > 8) {
        v[0] = shared[28 - N];
        forget_shared<N - 1>(v, shared);
    }
}

__device__ void store(int height, int width, int x, int y, unsigned int both, unsigned char* out) {
    if (x >= width || y >= height) return;
    unsigned char* to = out + (size_t)y * width + x;
    to[0] = (unsigned char)both;
    if (x + 1 < width) to[1] = (unsigned char)(both >> 16);
}

// The five columns of a row, each with its right neighbour in the upper half.
__device__ void load_row(const unsigned char* from, unsigned int* to) {
    unsigned int here = from[0];
#pragma unroll
    for (int col = 0; col < 5; ++col) {
        const unsigned int next = from[col + 1];
        to[col] = here | next << 16;
        here = next;
    }
}

__global__ void median(int height, int width, const unsigned char* pixel, unsigned char* out) {
    __shared__ unsigned char tile[16 + 4][64 + 4];
    const int left = blockIdx.x * 64, top = blockIdx.y * 16;
    for (int i = threadIdx.y * 32 + threadIdx.x; i < (16 + 4) * (64 + 4); i += 256) {
        const int row = i / (64 + 4), col = i % (64 + 4);
        tile[row][col] = pixel[(size_t)clamp_to(top + row - 2, height - 1) * width + clamp_to(left + col - 2, width - 1)];
    }
    __syncthreads();
    const int x = left + 2 * threadIdx.x, y = top + 2 * threadIdx.y;
    unsigned int upper[5], lower[5], shared[20], v[14], w[14];
    load_row(&tile[2 * threadIdx.y][2 * threadIdx.x], upper);
#pragma unroll
    for (int row = 0; row < 4; ++row) load_row(&tile[2 * threadIdx.y + row + 1][2 * threadIdx.x], shared + 5 * row);
    load_row(&tile[2 * threadIdx.y + 5][2 * threadIdx.x], lower);
#pragma unroll
    for (int i = 0; i < 14; ++i) v[i] = shared[i];
    forget_shared<14>(v, shared);
#pragma unroll
    for (int i = 0; i < 14; ++i) w[i] = v[i];
    v[0] = upper[0];
    w[0] = lower[0];
    store(height, width, x, y, forget<7>(v, upper), out);
    store(height, width, x, y + 1, forget<7>(w, lower), out);
}

extern "C" void median_5x5(int height, int width, const unsigned char* pixel, unsigned char* out) {
    median<<<dim3((width - 1) / 64 + 1, (height - 1) / 16 + 1), dim3(32, 8)>>>(height, width, pixel, out);
}
