// Spot centroids: a block for a row of windows; four pixels of a row for each thread in one load.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void store(int spot, int w, int mass, int mx, int my, float* cx, float* cy) {
    cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
    cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
}

constexpr int kThreads = 256;

__global__ void centroid(int rows, int cols, int w, bool wide, int threshold, const uint16_t* image, float* cx, float* cy) {
    extern __shared__ int2 column[];  // mass and moment in y of each pixel column
    int r = blockIdx.x, f = blockIdx.y, width = cols * w;
    const uint16_t* band = image + (size_t)(f * rows + r) * w * width;
    int quads = wide ? width / 4 : 0;
    for (int q = threadIdx.x; q < quads; q += kThreads) {
        int mass[4] = {}, my[4] = {};
        for (int y = 0; y < w; ++y) {
            ushort4 pixel = reinterpret_cast<const ushort4*>(band + y * width)[q];
            int v[4] = {max(pixel.x - threshold, 0), max(pixel.y - threshold, 0), max(pixel.z - threshold, 0), max(pixel.w - threshold, 0)};
#pragma unroll
            for (int j = 0; j < 4; ++j) mass[j] += v[j], my[j] += v[j] * y;
        }
#pragma unroll
        for (int j = 0; j < 4; ++j) column[4 * q + j] = make_int2(mass[j], my[j]);
    }
    for (int p = 4 * quads + threadIdx.x; p < width; p += kThreads) {
        int mass = 0, my = 0;
        for (int y = 0; y < w; ++y) {
            int v = max(band[y * width + p] - threshold, 0);
            mass += v, my += v * y;
        }
        column[p] = make_int2(mass, my);
    }
    __syncthreads();
    for (int c = threadIdx.x; c < cols; c += kThreads) {
        int mass = 0, mx = 0, my = 0;
        for (int x = 0; x < w; ++x) {
            int2 part = column[c * w + x];
            mass += part.x, mx += part.x * x, my += part.y;
        }
        store((f * rows + r) * cols + c, w, mass, mx, my, cx, cy);
    }
}

extern "C" void spot_centroids(int frames, int rows, int cols, int w, int threshold, const uint16_t* image, float* cx, float* cy) {
    size_t bytes = (size_t)cols * w * sizeof(int2);  // at most 128 KB
    cudaFuncSetAttribute(centroid, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    bool wide = cols * w % 4 == 0 && reinterpret_cast<uintptr_t>(image) % 8 == 0;  // then every row starts on 8 bytes
    centroid<<<dim3(rows, frames), kThreads, bytes>>>(rows, cols, w, wide, threshold, image, cx, cy);
}
