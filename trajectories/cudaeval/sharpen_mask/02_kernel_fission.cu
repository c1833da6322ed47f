// Sharpening: across first, then down; a warp votes on what changed.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool finish(int own, int sum, int amount, int edge, uint8_t* blurred, uint8_t* sharp) {
    const int soft = (sum + 128) >> 8, apart = own - soft;
    const int result = abs(apart) > edge ? min(max(own + amount * apart / 16, 0), 255) : own;
    *blurred = soft;
    *sharp = result;
    return result != own;
}

__global__ void across(int height, int width, const uint8_t* picture, uint16_t* half) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    if (x >= width || y >= height) return;
    const uint8_t* row = picture + y * width;
    half[y * width + x] = row[max(x - 2, 0)] + 4 * row[max(x - 1, 0)] + 6 * row[x] + 4 * row[min(x + 1, width - 1)] + row[min(x + 2, width - 1)];
}

__global__ void down(int height, int width, int amount, int edge, const uint8_t* picture, const uint16_t* half, uint8_t* blurred, uint8_t* sharp, int* changed) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, at = y * width + x;
    bool differs = false;
    if (x < width && y < height) {
        const int sum = half[max(y - 2, 0) * width + x] + 4 * half[max(y - 1, 0) * width + x] + 6 * half[at] + 4 * half[min(y + 1, height - 1) * width + x] +
                        half[min(y + 2, height - 1) * width + x];
        differs = finish(picture[at], sum, amount, edge, blurred + at, sharp + at);
    }
    const unsigned votes = __ballot_sync(0xffffffffu, differs);
    if (threadIdx.x == 0 && votes) atomicAdd(changed, __popc(votes));
}

extern "C" void sharpen_mask(int height, int width, int32_t amount, int32_t edge, const uint8_t* picture, uint8_t* blurred, uint8_t* sharp, int32_t* changed) {
    const dim3 threads(32, 8), blocks((width + 31) / 32, (height + 7) / 8);
    uint16_t* half = nullptr;
    cudaMallocAsync(&half, sizeof(uint16_t) * (size_t)height * width, 0);
    cudaMemsetAsync(changed, 0, sizeof(int32_t));
    across<<<blocks, threads>>>(height, width, picture, half);
    down<<<blocks, threads>>>(height, width, amount, edge, picture, half, blurred, sharp, changed);
    cudaFreeAsync(half, 0);
}
