// Spot centroids: a thread for each window.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void store(int spot, int w, int mass, int mx, int my, float* cx, float* cy) {
    cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
    cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
}

__global__ void centroid(int rows, int cols, int w, int threshold, const uint16_t* image, float* cx, float* cy) {
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y, f = blockIdx.z;
    if (c >= cols) return;
    int mass = 0, mx = 0, my = 0;
    for (int y = 0; y < w; ++y)
        for (int x = 0; x < w; ++x) {
            int v = image[((size_t)(f * rows + r) * w + y) * cols * w + c * w + x] - threshold;
            if (v > 0) mass += v, mx += v * x, my += v * y;
        }
    store((f * rows + r) * cols + c, w, mass, mx, my, cx, cy);
}

extern "C" void spot_centroids(int frames, int rows, int cols, int w, int threshold, const uint16_t* image, float* cx, float* cy) {
    centroid<<<dim3((cols + 31) / 32, rows, frames), 32>>>(rows, cols, w, threshold, image, cx, cy);
}
