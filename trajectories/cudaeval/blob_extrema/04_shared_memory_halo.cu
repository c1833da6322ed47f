// Blobs: a blur reads a tile with a rim of two from shared memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kBands = 4;
constexpr int kAcross = 32, kDown = 8;

__device__ int held(int i, int end) { return min(max(i, 0), end - 1); }

__device__ constexpr int binomial(int i) { return i == 2 ? 6 : i == 0 || i == 4 ? 1 : 4; }

__global__ void widen(size_t pixels, const uint8_t* pixel, uint16_t* level, int32_t* blobs) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i == 0) *blobs = 0;
    if (i < pixels) level[i] = pixel[i] << 3;
}

__global__ void blur(int height, int width, const uint16_t* from, uint16_t* to, int gain, int16_t* band) {
    __shared__ uint16_t tile[kDown + 4][kAcross + 4];
    const int left = blockIdx.x * kAcross - 2, top = blockIdx.y * kDown - 2;
    for (int v = threadIdx.y; v < kDown + 4; v += kDown) {
        const uint16_t* row = from + (size_t)held(top + v, height) * width;
        for (int u = threadIdx.x; u < kAcross + 4; u += kAcross) tile[v][u] = row[held(left + u, width)];
    }
    __syncthreads();
    const int x = left + 2 + threadIdx.x, y = top + 2 + threadIdx.y;
    if (x >= width || y >= height) return;
    uint32_t sum = 128;
#pragma unroll
    for (int v = 0; v < 5; ++v) {
        uint32_t part = 0;
#pragma unroll
        for (int u = 0; u < 5; ++u) part += binomial(u) * tile[threadIdx.y + v][threadIdx.x + u];
        sum += binomial(v) * part;
    }
    const size_t at = (size_t)y * width + x;
    to[at] = sum >> 8;
    band[at] = gain * ((int)(sum >> 8) - tile[threadIdx.y + 2][threadIdx.x + 2]);
}

__global__ void find_extrema(int height, int width, int threshold, const int16_t* band, uint32_t* blob, int32_t* blobs) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x < 1 || y < 1 || x + 1 >= width || y + 1 >= height) return;
    const size_t at = (size_t)y * width + x, pixels = (size_t)height * width;
    for (int k = 1; k <= 2; ++k) {
        const int own = band[k * pixels + at];
        bool extreme = abs(own) >= threshold;
        for (int i = 0; i < 27 && extreme; ++i) {
            if (i == 13) continue;
            const int value = band[(k + i / 9 - 1) * pixels + at + (size_t)(i % 9 / 3) * width + i % 3 - width - 1];
            extreme = own > 0 ? value < own : value > own;
        }
        if (extreme) blob[atomicAdd(blobs, 1)] = 2 * at + k - 1;
    }
}

extern "C" void blob_extrema(int height, int width, int threshold, const uint8_t* pixel, uint32_t* blob, int32_t* blobs) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    uint16_t* level = nullptr;
    cudaMalloc(&level, pixels * (2 + kBands) * sizeof(uint16_t));
    uint16_t* other = level + pixels;
    int16_t* band = reinterpret_cast<int16_t*>(other + pixels);
    widen<<<(pixels - 1) / 256 + 1, 256>>>(pixels, pixel, level, blobs);
    for (int k = 0; k < kBands; ++k) {
        const uint16_t* from = k % 2 ? other : level;
        uint16_t* to = k % 2 ? level : other;
        blur<<<grid, block>>>(height, width, from, to, (k + 1) * (k + 1), band + k * pixels);
    }
    find_extrema<<<grid, block>>>(height, width, threshold, band, blob, blobs);
    cudaFree(level);
}
