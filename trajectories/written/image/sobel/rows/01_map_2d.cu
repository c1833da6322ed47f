// Sobel edge strength, one thread per pixel, replicated borders by clamped indices.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

__global__ void sobel_kernel(int height, int width, const unsigned char* image, unsigned char* edges) {
    int x = blockIdx.x * kBlockX + threadIdx.x;
    int y = blockIdx.y * kBlockY + threadIdx.y;
    if (x >= width || y >= height) return;
    const unsigned char* above = image + (size_t)max(y - 1, 0) * width;
    const unsigned char* here = image + (size_t)y * width;
    const unsigned char* below = image + (size_t)min(y + 1, height - 1) * width;
    int left = max(x - 1, 0), right = min(x + 1, width - 1);
    int gx = above[right] - above[left] + 2 * (here[right] - here[left]) + below[right] - below[left];
    int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
    edges[(size_t)y * width + x] = (unsigned char)min(255, abs(gx) + abs(gy));
}

extern "C" void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY);
    sobel_kernel<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, image, edges);
}
