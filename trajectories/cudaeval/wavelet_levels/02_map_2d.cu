// Reversible wavelets: one thread a pair of results. It finds the difference before its own again from three more numbers in place of
// waiting for it, so that all pairs of all lines run at once.
#include <cuda_runtime.h>

// The difference of place 2 i + 1 of a line of n, read by `at`; beyond an end the line is mirrored.
template <class Line>
__device__ int difference(int i, int n, Line at) {
    int even = at(2 * i), right = 2 * i + 2 < n ? at(2 * i + 2) : even;
    return at(2 * i + 1) - ((even + right) >> 1);
}

// The smoothed place 2 i of a line of n and, where there is one, the difference beside it.
template <class Line>
__device__ void lift_pair(int i, int n, Line at, int& smooth, int& detail) {
    if (n == 1) {
        smooth = at(0);
        return;
    }
    bool whole = 2 * i + 1 < n;
    detail = whole ? difference(i, n, at) : 0;
    int left = i > 0 ? difference(i - 1, n, at) : detail, right = whole ? detail : left;
    smooth = at(2 * i) + ((left + right + 2) >> 2);
}

__global__ void widen(long long count, const unsigned char* image, short* coefficient) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) coefficient[i] = image[i];
}

__global__ void lift_rows(int h, int w, long long pitch, const short* __restrict__ in, short* __restrict__ out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, half = (w + 1) / 2;
    if (i >= half || y >= h) return;
    const short* row = in + y * pitch;
    int smooth = 0, detail = 0;
    lift_pair(i, w, [row](int k) { return (int)row[k]; }, smooth, detail);
    out[y * pitch + i] = (short)smooth;
    if (2 * i + 1 < w) out[y * pitch + half + i] = (short)detail;
}

__global__ void lift_columns(int h, int w, long long pitch, const short* __restrict__ in, short* __restrict__ out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y, half = (h + 1) / 2;
    if (x >= w || i >= half) return;
    const short* column = in + x;
    int smooth = 0, detail = 0;
    lift_pair(i, h, [column, pitch](int k) { return (int)column[k * pitch]; }, smooth, detail);
    out[i * pitch + x] = (short)smooth;
    if (2 * i + 1 < h) out[(half + i) * pitch + x] = (short)detail;
}

extern "C" void wavelet_levels(int height, int width, int levels, const unsigned char* image, short* coefficient) {
    long long count = (long long)height * width;
    if (count <= 0) return;
    short* scratch = nullptr;
    cudaMalloc(&scratch, count * sizeof(short));
    widen<<<(unsigned)((count + 255) / 256), 256>>>(count, image, coefficient);
    dim3 block(32, 8);
    for (int level = 0, h = height, w = width; level < levels; ++level, h = (h + 1) / 2, w = (w + 1) / 2) {
        lift_rows<<<dim3((w / 2 + 32) / 32, (h + 7) / 8), block>>>(h, w, width, coefficient, scratch);
        lift_columns<<<dim3((w + 31) / 32, (h / 2 + 8) / 8), block>>>(h, w, width, scratch, coefficient);
    }
    cudaFree(scratch);
}
