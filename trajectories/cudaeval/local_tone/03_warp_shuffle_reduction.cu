// Tone mapping: a block adds its logarithms by shuffles, with one atomic in the end.
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

__global__ void expose(size_t pixels, const double* logs, const float* light, float* exposed) {
    const size_t i = (size_t)blockIdx.x * 256 + threadIdx.x;
    if (i < pixels) exposed[i] = exposure_of(pixels, logs) * light[i];
}

__global__ void show(int height, int width, const float* scene, const float* light, const float* exposed, float* shown) {
    const int x = blockIdx.x * kAcross + threadIdx.x, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= width || y >= height) return;
    const int top = max(y - kReach, 0), bottom = min(y + kReach, height - 1), left = max(x - kReach, 0), right = min(x + kReach, width - 1);
    float around = 0.0f;
    for (int v = top; v <= bottom; ++v)
        for (int u = left; u <= right; ++u) around += exposed[(size_t)v * width + u];
    around /= (bottom - top + 1) * (right - left + 1);
    const size_t at = (size_t)y * width + x;
    const float ratio = exposed[at] * (1.0f + exposed[at] / kWhite) / (1.0f + around) / (1e-4f + light[at]);
    for (int c = 0; c < 3; ++c) shown[3 * at + c] = ratio * scene[3 * at + c];
}

extern "C" void local_tone(int height, int width, const float* scene, float* shown) {
    const size_t pixels = (size_t)height * width;
    const dim3 block(kAcross, kDown), grid((width - 1) / kAcross + 1, (height - 1) / kDown + 1);
    const int blocks = (int)((pixels - 1) / 256 + 1);
    double* logs = nullptr;
    cudaMalloc(&logs, sizeof(double) + 2 * pixels * sizeof(float));
    float* light = reinterpret_cast<float*>(logs + 1);
    cudaMemsetAsync(logs, 0, sizeof(double));
    float* exposed = light + pixels;
    find_light<<<blocks, 256>>>(pixels, scene, light);
    add_logs<<<blocks, 256>>>(pixels, light, logs);
    expose<<<blocks, 256>>>(pixels, logs, light, exposed);
    show<<<grid, block>>>(height, width, scene, light, exposed, shown);
    cudaFree(logs);
}
