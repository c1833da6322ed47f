// Tone mapping: local sums are separable, eighteen terms in place of eighty-one.
#include <cuda_runtime.h>

constexpr int kReach = 4;
constexpr float kWhite = 16.0f;
constexpr int kAcross = 32, kDown = 8;

__device__ float brightness(const float* c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }

__global__ void find_light(size_t pixels, const float* scene, float* light) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) light[i] = brightness(scene + 3 * i);
}

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

__global__ void add_logs(size_t pixels, const float* light, double* logs) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    const double sum = add_block(i < pixels ? logf(1e-4f + light[i]) : 0.0f);
    if (threadIdx.x == 0) atomicAdd(logs, sum);
}

__device__ float exposure_of(size_t pixels, const double* logs) { return 0.18f / (float)exp(*logs / pixels); }

__device__ int held_in(int at, int count) { return min(at + kReach, count - 1) - max(at - kReach, 0) + 1; }

__global__ void show(int height, int width, const double* logs, const float* scene, const float* light, float* shown) {
    __shared__ float tile[kDown + 2 * kReach][kAcross + 2 * kReach];
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
    const float exposure = exposure_of((size_t)height * width, logs);
    const size_t at = (size_t)y * width + x;
    const float own = tile[threadIdx.y + kReach][threadIdx.x + kReach], exposed = exposure * own;
    const float ratio = exposed * (1.0f + exposed / kWhite) / (1.0f + exposure * around) / (1e-4f + own);
    for (int c = 0; c < 3; ++c) shown[3 * at + c] = ratio * scene[3 * at + c];
}

extern "C" void local_tone(int height, int width, const float* scene, float* shown) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    const int blocks = (int)((pixels - 1) / 256 + 1);
    double* logs = nullptr;
    cudaMalloc(&logs, sizeof(double) + 1 * pixels * sizeof(float));
    float* light = reinterpret_cast<float*>(logs + 1);
    cudaMemsetAsync(logs, 0, sizeof(double));
    find_light<<<blocks, 256>>>(pixels, scene, light);
    add_logs<<<blocks, 256>>>(pixels, light, logs);
    show<<<grid, block>>>(height, width, logs, scene, light, shown);
    cudaFree(logs);
}
