// Spot centroids: a warp for each window; the window's width is known to the compiler where it is a usual one.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void store(int spot, int w, int mass, int mx, int my, float* cx, float* cy) {
    cx[spot] = mass > 0 ? (float)mx / (float)mass : 0.5f * (w - 1);
    cy[spot] = mass > 0 ? (float)my / (float)mass : 0.5f * (w - 1);
}

constexpr int kWarps = 8;

__device__ int warp_sum(int value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_down_sync(0xffffffffu, value, distance);
    return value;
}

// W is the width of a window, or 0 for any.
template <int W>
__global__ void centroid(int windows, int cols, int any_width, int threshold, const uint16_t* image, float* cx, float* cy) {
    const int w = W > 0 ? W : any_width;
    int spot = blockIdx.x * kWarps + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (spot >= windows) return;  // a whole warp
    int band = spot / cols, c = spot % cols;
    const uint16_t* corner = image + (size_t)band * w * cols * w + c * w;
    int mass = 0, mx = 0, my = 0;
#pragma unroll 8
    for (int e = lane; e < w * w; e += 32) {
        int y = e / w, x = e % w, v = max(corner[y * cols * w + x] - threshold, 0);
        mass += v, mx += v * x, my += v * y;
    }
    mass = warp_sum(mass), mx = warp_sum(mx), my = warp_sum(my);
    if (lane == 0) store(spot, w, mass, mx, my, cx, cy);
}

extern "C" void spot_centroids(int frames, int rows, int cols, int w, int threshold, const uint16_t* image, float* cx, float* cy) {
    int windows = frames * rows * cols;
    int blocks = (windows + kWarps - 1) / kWarps;
    auto kernel = w == 8 ? centroid<8> : w == 16 ? centroid<16> : w == 32 ? centroid<32> : centroid<0>;
    kernel<<<blocks, kWarps * 32>>>(windows, cols, w, threshold, image, cx, cy);
}
