// Smaller copies of a picture: a launch a level, a thread a channel of a pixel.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAcross = 64, kDown = 4;

__global__ void shrink(int height, int width, int rows, int columns, const uint8_t* from, uint8_t* to) {
    const int k = blockIdx.x * kAcross + threadIdx.x, x = k / 4, y = blockIdx.y * kDown + threadIdx.y;
    if (x >= columns || y >= rows) return;
    const size_t upper = (size_t)2 * y * width, lower = (size_t)min(2 * y + 1, height - 1) * width;
    const int left = 2 * x, right = min(2 * x + 1, width - 1), c = k % 4;
    const int above = from[4 * (upper + left) + c] + from[4 * (upper + right) + c];
    const int sum = above + from[4 * (lower + left) + c] + from[4 * (lower + right) + c];
    to[(size_t)y * columns * 4 + k] = (sum + 2) / 4;
}

static void launch(int height, int width, const uint8_t* from, uint8_t* to) {
    const int rows = max(1, height / 2), columns = max(1, width / 2);
    const dim3 blocks((columns * 4 - 1) / kAcross + 1, (rows - 1) / kDown + 1);
    shrink<<<blocks, dim3(kAcross, kDown)>>>(height, width, rows, columns, from, to);
}

extern "C" void mip_levels(int height, int width, const uint8_t* picture, uint8_t* half, uint8_t* quarter, uint8_t* eighth) {
    launch(height, width, picture, half);
    launch(max(1, height / 2), max(1, width / 2), half, quarter);
    launch(max(1, height / 4), max(1, width / 4), quarter, eighth);
}
