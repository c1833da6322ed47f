// Guided filter: the second windows read lines from a tile with a rim in shared memory too.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRadius = 4, kSpan = 2 * kRadius + 1;
constexpr int kAcross = 32, kDown = 8;

// Pixels of the window around `at` that lie inside.
__device__ int inside(int at, int count) { return min(at + kRadius, count - 1) - max(at - kRadius, 0) + 1; }

__device__ float2 fit_line(int area, int g, int n, int gg, int gn, float softness) {
    const float spread = area * gg - g * g, shared = area * gn - g * n;
    const float slope = shared / (spread + softness * (area * area));
    return make_float2(slope, (n - slope * g) / area);
}

__global__ void fit_lines(int height, int width, float softness, const uint8_t* guide, const uint8_t* noisy, float2* line) {
    __shared__ uchar2 tile[kDown + 2 * kRadius][kAcross + 2 * kRadius];
    for (int v = threadIdx.y; v < kDown + 2 * kRadius; v += kDown) {
        for (int u = threadIdx.x; u < kAcross + 2 * kRadius; u += kAcross) {
            const int py = blockIdx.y * kDown + v - kRadius, px = blockIdx.x * kAcross + u - kRadius;
            const size_t at = (size_t)py * width + px;
            const bool known = py >= 0 && px >= 0 && py < height && px < width;
            tile[v][u] = known ? make_uchar2(guide[at], noisy[at]) : make_uchar2(0, 0);
        }
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    int g = 0, n = 0, gg = 0, gn = 0;
    for (int v = 0; v < kSpan; ++v) {
        for (int u = 0; u < kSpan; ++u) {
            const uchar2 p = tile[threadIdx.y + v][threadIdx.x + u];
            g += p.x;
            n += p.y;
            gg += p.x * p.x;
            gn += p.x * p.y;
        }
    }
    line[(size_t)y * width + x] = fit_line(inside(x, width) * inside(y, height), g, n, gg, gn, softness);
}

__global__ void apply(int height, int width, const uint8_t* guide, const float2* line, float* smooth) {
    __shared__ float2 tile[kDown + 2 * kRadius][kAcross + 2 * kRadius];
    for (int v = threadIdx.y; v < kDown + 2 * kRadius; v += kDown) {
        for (int u = threadIdx.x; u < kAcross + 2 * kRadius; u += kAcross) {
            const int py = blockIdx.y * kDown + v - kRadius, px = blockIdx.x * kAcross + u - kRadius;
            const bool known = py >= 0 && px >= 0 && py < height && px < width;
            tile[v][u] = known ? line[(size_t)py * width + px] : make_float2(0.0f, 0.0f);
        }
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    float a = 0.0f, b = 0.0f;
    for (int v = 0; v < kSpan; ++v) {
        for (int u = 0; u < kSpan; ++u) {
            const float2 one = tile[threadIdx.y + v][threadIdx.x + u];
            a += one.x;
            b += one.y;
        }
    }
    const size_t at = (size_t)y * width + x;
    smooth[at] = (a * guide[at] + b) / (inside(x, width) * inside(y, height));
}

extern "C" void guided_smooth(int height, int width, float softness, const uint8_t* guide, const uint8_t* noisy, float* smooth) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    float2* line = nullptr;
    cudaMalloc(&line, pixels * sizeof(float2));
    fit_lines<<<grid, block>>>(height, width, softness, guide, noisy, line);
    apply<<<grid, block>>>(height, width, guide, line, smooth);
    cudaFree(line);
}
