// Sobel edge strength; only blocks that touch the image's rim clamp their indices.
#include <cuda_runtime.h>

constexpr int kBlockX = 32, kBlockY = 8;

template <bool kClamp>
__device__ unsigned char edge_strength(int height, int width, const unsigned char* image, int x, int y) {
    const unsigned char* here = image + (size_t)y * width;
    const unsigned char* above = kClamp && y == 0 ? here : here - width;
    const unsigned char* below = kClamp && y == height - 1 ? here : here + width;
    int left = kClamp ? max(x - 1, 0) : x - 1;
    int right = kClamp ? min(x + 1, width - 1) : x + 1;
    int gx = above[right] - above[left] + 2 * (here[right] - here[left]) + below[right] - below[left];
    int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
    return (unsigned char)min(255, abs(gx) + abs(gy));
}

__global__ void sobel_kernel(int height, int width, const unsigned char* image, unsigned char* edges) {
    int x0 = blockIdx.x * kBlockX, y0 = blockIdx.y * kBlockY;
    int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
    // The same for all threads of the block: every pixel has all its neighbours.
    bool interior = x0 > 0 && y0 > 0 && x0 + kBlockX < width && y0 + kBlockY < height;
    if (interior) {
        edges[(size_t)y * width + x] = edge_strength<false>(height, width, image, x, y);
    } else if (x < width && y < height) {
        edges[(size_t)y * width + x] = edge_strength<true>(height, width, image, x, y);
    }
}

extern "C" void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    dim3 grid((width + kBlockX - 1) / kBlockX, (height + kBlockY - 1) / kBlockY);
    sobel_kernel<<<grid, dim3(kBlockX, kBlockY)>>>(height, width, image, edges);
}
