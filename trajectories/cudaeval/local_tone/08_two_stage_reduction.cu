// Tone mapping: blocks store their sums, and each block of the last kernel adds them up: no atomics and no clear.
#include <cuda_runtime.h>

constexpr int kReach = 4;
constexpr float kWhite = 16.0f;
constexpr int kAcross = 32, kDown = 8;

__device__ float brightness(const float* c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }

// The sum over a block of 256 threads, in its first one.
__device__ double add_block(double value) {
    __shared__ double of_warp[8];
    for (int half = 16; half > 0; half /= 2) value += __shfl_down_sync(~0u, value, half);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
        for (int w = 1; w < 8; ++w) value += of_warp[w];
    return value;
}

constexpr int kParts = 512;  // blocks of the first kernel, each with a sum of its own

__global__ void find_light(size_t pixels, const float* scene, float* light, double* part) {
    double logs = 0.0;
    for (size_t i = (size_t)blockIdx.x * 256 + threadIdx.x; i < pixels; i += kParts * 256) {
        const float own = light[i] = brightness(scene + 3 * i);
        logs += logf(1e-4f + own);
    }
    logs = add_block(logs);
    if (threadIdx.x == 0) part[blockIdx.x] = logs;
}

__device__ int held_in(int at, int count) { return min(at + kReach, count - 1) - max(at - kReach, 0) + 1; }

__global__ void show(int height, int width, int parts, const double* part, const float* scene, const float* light, float* shown) {
    __shared__ float tile[kDown + 2 * kReach][kAcross + 2 * kReach];
    __shared__ double of_warp[kDown];
    double logs = 0.0;
    const int thread = threadIdx.y * kAcross + threadIdx.x;
    for (int i = thread; i < parts; i += kAcross * kDown) logs += part[i];
    for (int half = 16; half > 0; half /= 2) logs += __shfl_xor_sync(~0u, logs, half);
    if (threadIdx.x == 0) of_warp[threadIdx.y] = logs;
    for (int v = threadIdx.y; v < kDown + 2 * kReach; v += kDown) {
        for (int u = threadIdx.x; u < kAcross + 2 * kReach; u += kAcross) {
            const int py = blockIdx.y * kDown + v - kReach, px = blockIdx.x * kAcross + u - kReach;
            tile[v][u] = py >= 0 && px >= 0 && py < height && px < width ? light[(size_t)py * width + px] : 0.0f;
        }
    }
    __syncthreads();
    __shared__ float across[kDown + 2 * kReach][kAcross];
    for (int v = threadIdx.y; v < kDown + 2 * kReach; v += kDown) {
        float sum = 0.0f;
#pragma unroll
        for (int u = 0; u <= 2 * kReach; ++u) sum += tile[v][threadIdx.x + u];
        across[v][threadIdx.x] = sum;
    }
    __syncthreads();
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    float around = 0.0f;
#pragma unroll
    for (int v = 0; v <= 2 * kReach; ++v) around += across[threadIdx.y + v][threadIdx.x];
    around /= held_in(x, width) * held_in(y, height);
    logs = 0.0;
    for (int w = 0; w < kDown; ++w) logs += of_warp[w];
    const float exposure = 0.18f / expf((float)(logs / ((double)height * width)));
    const size_t at = (size_t)y * width + x;
    const float own = tile[threadIdx.y + kReach][threadIdx.x + kReach], exposed = exposure * own;
    const float ratio = exposed * (1.0f + exposed / kWhite) / (1.0f + exposure * around) / (1e-4f + own);
    for (int c = 0; c < 3; ++c) shown[3 * at + c] = ratio * scene[3 * at + c];
}

extern "C" void local_tone(int height, int width, const float* scene, float* shown) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    const int parts = pixels < (size_t)kParts * 256 ? (int)((pixels - 1) / 256 + 1) : kParts;
    double* part = nullptr;
    cudaMalloc(&part, kParts * sizeof(double) + pixels * sizeof(float));
    float* light = reinterpret_cast<float*>(part + kParts);
    find_light<<<parts, 256>>>(pixels, scene, light, part);
    show<<<grid, block>>>(height, width, parts, part, scene, light, shown);
    cudaFree(part);
}
