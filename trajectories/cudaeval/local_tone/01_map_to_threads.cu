// Tone mapping: brightness, sum of logarithms, exposure, local means, compression and colours in a kernel each.
#include <cuda_runtime.h>

constexpr int kReach = 4;
constexpr float kWhite = 16.0f;
constexpr int kAcross = 32, kDown = 8;

__device__ float brightness(const float* c) { return 0.2126f * c[0] + 0.7152f * c[1] + 0.0722f * c[2]; }

__global__ void find_light(size_t pixels, const float* scene, float* light) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) light[i] = brightness(scene + 3 * i);
}

__global__ void add_logs(size_t pixels, const float* light, double* logs) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) atomicAdd(logs, (double)logf(1e-4f + light[i]));
}

__device__ float exposure_of(size_t pixels, const double* logs) { return 0.18f / (float)exp(*logs / pixels); }

__global__ void expose(size_t pixels, const double* logs, const float* light, float* exposed) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) exposed[i] = exposure_of(pixels, logs) * light[i];
}

__global__ void average(int height, int width, const float* exposed, float* around) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const int top = max(y - kReach, 0), bottom = min(y + kReach, height - 1), left = max(x - kReach, 0), right = min(x + kReach, width - 1);
    float sum = 0.0f;
    for (int v = top; v <= bottom; ++v)
        for (int u = left; u <= right; ++u) sum += exposed[(size_t)v * width + u];
    around[(size_t)y * width + x] = sum / ((bottom - top + 1) * (right - left + 1));
}

__global__ void compress(size_t pixels, const float* exposed, const float* around, const float* light, float* ratio) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) ratio[i] = exposed[i] * (1.0f + exposed[i] / kWhite) / (1.0f + around[i]) / (1e-4f + light[i]);
}

__global__ void colour(size_t pixels, const float* scene, const float* ratio, float* shown) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i >= pixels) return;
    for (int c = 0; c < 3; ++c) shown[3 * i + c] = ratio[i] * scene[3 * i + c];
}

extern "C" void local_tone(int height, int width, const float* scene, float* shown) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    const int blocks = (int)((pixels - 1) / 256 + 1);
    double* logs = nullptr;
    cudaMalloc(&logs, sizeof(double) + 4 * pixels * sizeof(float));
    float* light = reinterpret_cast<float*>(logs + 1);
    cudaMemsetAsync(logs, 0, sizeof(double));
    float *exposed = light + pixels, *around = exposed + pixels, *ratio = around + pixels;
    find_light<<<blocks, 256>>>(pixels, scene, light);
    add_logs<<<blocks, 256>>>(pixels, light, logs);
    expose<<<blocks, 256>>>(pixels, logs, light, exposed);
    average<<<grid, block>>>(height, width, exposed, around);
    compress<<<blocks, 256>>>(pixels, exposed, around, light, ratio);
    colour<<<blocks, 256>>>(pixels, scene, ratio, shown);
    cudaFree(logs);
}
