// Reversible wavelets: one thread a row, then one thread a column, level by level.
#include <cuda_runtime.h>

__device__ void lift(int n, const short* x, long long from, short* out, long long to) {
    int half = (n + 1) / 2;
    if (n == 1) out[0] = x[0];
    for (int i = 0; 2 * i + 1 < n; ++i) {
        int right = 2 * i + 2 < n ? x[(2 * i + 2) * from] : x[2 * i * from];
        out[(half + i) * to] = (short)(x[(2 * i + 1) * from] - ((x[2 * i * from] + right) >> 1));
    }
    for (int i = 0; i < half && n > 1; ++i) {
        int right = 2 * i + 1 < n ? out[(half + i) * to] : out[(half + i - 1) * to];
        int left = i > 0 ? out[(half + i - 1) * to] : right;
        out[i * to] = (short)(x[2 * i * from] + ((left + right + 2) >> 2));
    }
}

__global__ void widen(long long count, const unsigned char* image, short* coefficient) {
    long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) coefficient[i] = image[i];
}

__global__ void lift_rows(int h, int w, long long pitch, const short* in, short* out) {
    int y = blockIdx.x * blockDim.x + threadIdx.x;
    if (y < h) lift(w, in + y * pitch, 1, out + y * pitch, 1);
}

__global__ void lift_columns(int h, int w, long long pitch, const short* in, short* out) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < w) lift(h, in + x, pitch, out + x, pitch);
}

extern "C" void wavelet_levels(int height, int width, int levels, const unsigned char* image, short* coefficient) {
    long long count = (long long)height * width;
    if (count <= 0) return;
    short* scratch = nullptr;
    cudaMalloc(&scratch, count * sizeof(short));
    widen<<<(unsigned)((count + 255) / 256), 256>>>(count, image, coefficient);
    for (int level = 0, h = height, w = width; level < levels; ++level, h = (h + 1) / 2, w = (w + 1) / 2) {
        lift_rows<<<(h + 63) / 64, 64>>>(h, w, width, coefficient, scratch);
        lift_columns<<<(w + 63) / 64, 64>>>(h, w, width, scratch, coefficient);
    }
    cudaFree(scratch);
}
