// Guided filter: window sums, lines and their means with a thread a pixel each.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kRadius = 4;
constexpr int kAcross = 32, kDown = 8;

// Pixels of the window around `at` that lie inside.
__device__ int inside(int at, int count) { return min(at + kRadius, count - 1) - max(at - kRadius, 0) + 1; }

__device__ float2 fit_line(int area, int g, int n, int gg, int gn, float softness) {
    const float spread = area * gg - g * g, shared = area * gn - g * n;
    const float slope = shared / (spread + softness * (area * area));
    return make_float2(slope, (n - slope * g) / area);
}

__global__ void add_windows(int height, int width, const uint8_t* guide, const uint8_t* noisy, int* g, int* n, int* gg, int* gn) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    int sum[4] = {0, 0, 0, 0};
    for (int v = max(y - kRadius, 0); v <= min(y + kRadius, height - 1); ++v) {
        for (int u = max(x - kRadius, 0); u <= min(x + kRadius, width - 1); ++u) {
            const int a = guide[(size_t)v * width + u], b = noisy[(size_t)v * width + u];
            sum[0] += a;
            sum[1] += b;
            sum[2] += a * a;
            sum[3] += a * b;
        }
    }
    const size_t at = (size_t)y * width + x;
    g[at] = sum[0];
    n[at] = sum[1];
    gg[at] = sum[2];
    gn[at] = sum[3];
}

__global__ void fit_lines(int height, int width, float softness, const int* g, const int* n, const int* gg, const int* gn, float2* line) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const size_t at = (size_t)y * width + x;
    line[at] = fit_line(inside(x, width) * inside(y, height), g[at], n[at], gg[at], gn[at], softness);
}

__global__ void apply(int height, int width, const uint8_t* guide, const float2* line, float* smooth) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    float a = 0.0f, b = 0.0f;
    for (int v = max(y - kRadius, 0); v <= min(y + kRadius, height - 1); ++v) {
        for (int u = max(x - kRadius, 0); u <= min(x + kRadius, width - 1); ++u) {
            const float2 one = line[(size_t)v * width + u];
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
    cudaMalloc(&line, pixels * (sizeof(float2) + 4 * sizeof(int)));
    int *g = reinterpret_cast<int*>(line + pixels), *n = g + pixels, *gg = n + pixels, *gn = gg + pixels;
    add_windows<<<grid, block>>>(height, width, guide, noisy, g, n, gg, gn);
    fit_lines<<<grid, block>>>(height, width, softness, g, n, gg, gn, line);
    apply<<<grid, block>>>(height, width, guide, line, smooth);
    cudaFree(line);
}
