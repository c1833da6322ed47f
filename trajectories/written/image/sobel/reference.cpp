// Edge strength |gx| + |gy| with Sobel kernels and replicated borders.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

void sobel(int height, int width, const unsigned char* image, unsigned char* edges) {
    for (int y = 0; y < height; ++y) {
        const unsigned char* above = image + (size_t)std::max(y - 1, 0) * width;
        const unsigned char* here = image + (size_t)y * width;
        const unsigned char* below = image + (size_t)std::min(y + 1, height - 1) * width;
        for (int x = 0; x < width; ++x) {
            int left = std::max(x - 1, 0), right = std::min(x + 1, width - 1);
            int gx = above[right] - above[left] + 2 * (here[right] - here[left]) + below[right] - below[left];
            int gy = below[left] + 2 * below[x] + below[right] - above[left] - 2 * above[x] - above[right];
            edges[(size_t)y * width + x] = (unsigned char)std::min(255, std::abs(gx) + std::abs(gy));
        }
    }
}
