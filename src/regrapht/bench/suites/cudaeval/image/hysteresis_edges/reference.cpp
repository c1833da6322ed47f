#include <cstddef>
#include <vector>

struct Pixel {
    int y, x;
};

void hysteresis_edges(int height, int width, int low, int high, const unsigned char* gradient, unsigned char* edge) {
    std::vector<Pixel> open;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            bool strong = gradient[(size_t)y * width + x] >= high;
            edge[(size_t)y * width + x] = strong ? 255 : 0;
            if (strong) open.push_back({y, x});
        }
    }
    while (!open.empty()) {
        const Pixel from = open.back();
        open.pop_back();
        for (int y = from.y - 1; y <= from.y + 1; ++y) {
            for (int x = from.x - 1; x <= from.x + 1; ++x) {
                if (y < 0 || y >= height || x < 0 || x >= width) continue;
                size_t at = (size_t)y * width + x;
                if (edge[at] != 0 || gradient[at] < low) continue;
                edge[at] = 255;
                open.push_back({y, x});
            }
        }
    }
}
