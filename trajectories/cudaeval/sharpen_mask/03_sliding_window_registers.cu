// Sharpening: a thread walks 32 rows down its column; the sums across of the last five rows are in registers, and nothing between is stored.
#include <cuda_runtime.h>

#include <cstdint>

__device__ bool finish(int own, int sum, int amount, int edge, uint8_t* blurred, uint8_t* sharp) {
    const int soft = (sum + 128) >> 8, apart = own - soft;
    const int result = abs(apart) > edge ? min(max(own + amount * apart / 16, 0), 255) : own;
    *blurred = soft;
    *sharp = result;
    return result != own;
}

__device__ int across(const uint8_t* picture, int width, int height, int y, int x) {
    const uint8_t* row = picture + min(max(y, 0), height - 1) * width;
    return row[max(x - 2, 0)] + 4 * row[max(x - 1, 0)] + 6 * row[x] + 4 * row[min(x + 1, width - 1)] + row[min(x + 2, width - 1)];
}

__global__ void sharpen(int height, int width, int amount, int edge, const uint8_t* __restrict__ picture, uint8_t* __restrict__ blurred,
                        uint8_t* __restrict__ sharp, int* changed) {
    const int x = blockIdx.x * 64 + threadIdx.x, from = blockIdx.y * 32, to = min(height, from + 32);
    int count = 0;
    if (x < width) {
        int a = across(picture, width, height, from - 2, x), b = across(picture, width, height, from - 1, x), c = across(picture, width, height, from, x);
        int d = across(picture, width, height, from + 1, x);
        for (int y = from; y < to; ++y) {
            const int e = across(picture, width, height, y + 2, x), at = y * width + x;
            count += finish(picture[at], a + 4 * b + 6 * c + 4 * d + e, amount, edge, blurred + at, sharp + at);
            a = b, b = c, c = d, d = e;
        }
    }
    count = __reduce_add_sync(0xffffffffu, count);
    if (threadIdx.x % 32 == 0 && count) atomicAdd(changed, count);
}

extern "C" void sharpen_mask(int height, int width, int32_t amount, int32_t edge, const uint8_t* picture, uint8_t* blurred, uint8_t* sharp, int32_t* changed) {
    cudaMemsetAsync(changed, 0, sizeof(int32_t));
    sharpen<<<dim3((width + 63) / 64, (height + 31) / 32), 64>>>(height, width, amount, edge, picture, blurred, sharp, changed);
}
