// Sharpening: one pixel a thread with all 25 weights.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool finish(int own, int sum, int amount, int edge, uint8_t* blurred, uint8_t* sharp) {
    const int soft = (sum + 128) >> 8, apart = own - soft;
    const int result = abs(apart) > edge ? min(max(own + amount * apart / 16, 0), 255) : own;
    *blurred = soft;
    *sharp = result;
    return result != own;
}

__global__ void sharpen(int height, int width, int amount, int edge, const uint8_t* picture, uint8_t* blurred, uint8_t* sharp, int* changed) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const int weight[5] = {1, 4, 6, 4, 1};
    int sum = 0;
    for (int v = -2; v <= 2; ++v)
        for (int u = -2; u <= 2; ++u)
            sum += weight[v + 2] * weight[u + 2] * picture[min(max(y + v, 0), height - 1) * width + min(max(x + u, 0), width - 1)];
    const int at = y * width + x;
    if (finish(picture[at], sum, amount, edge, blurred + at, sharp + at)) atomicAdd(changed, 1);
}

extern "C" void sharpen_mask(int height, int width, int32_t amount, int32_t edge, const uint8_t* picture, uint8_t* blurred, uint8_t* sharp, int32_t* changed) {
    cudaMemsetAsync(changed, 0, sizeof(int32_t));
    sharpen<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(height, width, amount, edge, picture, blurred, sharp, changed);
}
