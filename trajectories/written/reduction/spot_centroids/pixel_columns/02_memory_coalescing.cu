// Spot centroids: a block for a row of windows; threads add up pixel columns, then a thread for each window joins its columns.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void store(int spot, int w, int mass, int mx, int my, float* cx, float* cy) {
    cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
    cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
}

constexpr int kThreads = 256;

__global__ void centroid(int rows, int cols, int w, int threshold, const uint16_t* image, float* cx, float* cy) {
    extern __shared__ int2 column[];  // mass and moment in y of each pixel column
    int r = blockIdx.x, f = blockIdx.y, width = cols * w;
    const uint16_t* band = image + (size_t)(f * rows + r) * w * width;
    for (int p = threadIdx.x; p < width; p += kThreads) {
        int mass = 0, my = 0;
        for (int y = 0; y < w; ++y) {
            int v = band[y * width + p] - threshold;
            if (v > 0) mass += v, my += v * y;
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
    centroid<<<dim3(rows, frames), kThreads, bytes>>>(rows, cols, w, threshold, image, cx, cy);
}
