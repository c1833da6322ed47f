// Guided filter: the sums of pixels are separable: across first, then down, eighteen terms in place of eighty-one.
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
    __shared__ int4 across[kDown + 2 * kRadius][kAcross];  // sums over the columns of a window
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
    for (int v = threadIdx.y; v < kDown + 2 * kRadius; v += kDown) {
        int4 sum = make_int4(0, 0, 0, 0);
#pragma unroll
        for (int u = 0; u < kSpan; ++u) {
            const uchar2 p = tile[v][threadIdx.x + u];
            sum.x += p.x;
            sum.y += p.y;
            sum.z += p.x * p.x;
            sum.w += p.x * p.y;
        }
        across[v][threadIdx.x] = sum;
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    int4 all = make_int4(0, 0, 0, 0);
#pragma unroll
    for (int v = 0; v < kSpan; ++v) {
        const int4 sum = across[threadIdx.y + v][threadIdx.x];
        all.x += sum.x;
        all.y += sum.y;
        all.z += sum.z;
        all.w += sum.w;
    }
    line[(size_t)y * width + x] = fit_line(inside(x, width) * inside(y, height), all.x, all.y, all.z, all.w, softness);
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
