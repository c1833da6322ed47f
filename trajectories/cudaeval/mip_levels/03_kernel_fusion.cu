// Smaller copies of a picture: one kernel; a block keeps the larger levels of its 64 x 16 pixels in shared memory for the smaller ones.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kAcross = 32, kDown = 8;

// A picture that is not aligned is read and written by channels.
__device__ uint32_t load(const uint8_t* from, size_t pixel) {
    if ((size_t)from % 4 == 0) return ((const uint32_t*)from)[pixel];
    from += 4 * pixel;
    return from[0] | from[1] << 8 | from[2] << 16 | (uint32_t)from[3] << 24;
}

__device__ void store(uint8_t* to, size_t pixel, uint32_t value) {
    if ((size_t)to % 4 == 0) {
        ((uint32_t*)to)[pixel] = value;
        return;
    }
    for (int c = 0; c < 4; ++c) to[4 * pixel + c] = value >> (8 * c);
}

__device__ uint32_t mean(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
    const uint32_t mask = 0x00ff00ff;
    const uint32_t even = (a & mask) + (b & mask) + (c & mask) + (d & mask) + 0x00020002;
    const uint32_t odd = (a >> 8 & mask) + (b >> 8 & mask) + (c >> 8 & mask) + (d >> 8 & mask) + 0x00020002;
    return (even >> 2 & mask) | (odd >> 2 & mask) << 8;
}

__global__ void shrink(int height, int width, const uint8_t* picture, uint8_t* half, uint8_t* quarter, uint8_t* eighth) {
    __shared__ uint32_t halves[kDown][kAcross], quarters[kDown / 2][kAcross / 2];
    const int tx = threadIdx.x, ty = threadIdx.y, x = blockIdx.x * kAcross + tx, y = blockIdx.y * kDown + ty;
    const int rows = max(1, height / 2), columns = max(1, width / 2);
    if (x < columns && y < rows) {
        const size_t upper = (size_t)2 * y * width, lower = (size_t)min(2 * y + 1, height - 1) * width;
        const int left = 2 * x, right = min(2 * x + 1, width - 1);
        const uint32_t a = load(picture, upper + left), b = load(picture, upper + right);
        const uint32_t made = mean(a, b, load(picture, lower + left), load(picture, lower + right));
        halves[ty][tx] = made;
        store(half, (size_t)y * columns + x, made);
    }
    __syncthreads();
    const int qx = blockIdx.x * (kAcross / 2) + tx, qy = blockIdx.y * (kDown / 2) + ty;
    if (tx < kAcross / 2 && ty < kDown / 2 && qx < max(1, columns / 2) && qy < max(1, rows / 2)) {
        const int below = rows > 1 ? 2 * ty + 1 : 0, right = columns > 1 ? 2 * tx + 1 : 0;
        const uint32_t made = mean(halves[2 * ty][2 * tx], halves[2 * ty][right], halves[below][2 * tx], halves[below][right]);
        quarters[ty][tx] = made;
        store(quarter, (size_t)qy * max(1, columns / 2) + qx, made);
    }
    __syncthreads();
    const int ex = blockIdx.x * (kAcross / 4) + tx, ey = blockIdx.y * (kDown / 4) + ty;
    if (tx < kAcross / 4 && ty < kDown / 4 && ex < max(1, columns / 4) && ey < max(1, rows / 4)) {
        const int below = rows > 3 ? 2 * ty + 1 : 0, right = columns > 3 ? 2 * tx + 1 : 0;
        const uint32_t made = mean(quarters[2 * ty][2 * tx], quarters[2 * ty][right], quarters[below][2 * tx], quarters[below][right]);
        store(eighth, (size_t)ey * max(1, columns / 4) + ex, made);
    }
}

extern "C" void mip_levels(int height, int width, const uint8_t* picture, uint8_t* half, uint8_t* quarter, uint8_t* eighth) {
    const dim3 blocks((max(1, width / 2) - 1) / kAcross + 1, (max(1, height / 2) - 1) / kDown + 1);
    shrink<<<blocks, dim3(kAcross, kDown)>>>(height, width, picture, half, quarter, eighth);
}
