// Local mean threshold; column sums slide down the page, and a window slides along each row.
#include <algorithm>
#include <cstddef>
#include <vector>

void local_threshold(int height, int width, int radius, int bias, const unsigned char* page, unsigned char* ink) {
    std::vector<int> column(width, 0);
    for (int y = 0; y < std::min(radius, height); ++y)
        for (int x = 0; x < width; ++x) column[x] += page[(size_t)y * width + x];
    for (int y = 0; y < height; ++y) {
        const int entering = y + radius, leaving = y - radius - 1;
        for (int x = 0; x < width; ++x) {
            if (entering < height) column[x] += page[(size_t)entering * width + x];
            if (leaving >= 0) column[x] -= page[(size_t)leaving * width + x];
        }
        const int rows = std::min(y + radius, height - 1) - std::max(y - radius, 0) + 1;
        int sum = 0;
        for (int x = 0; x < std::min(radius, width); ++x) sum += column[x];
        for (int x = 0; x < width; ++x) {
            if (x + radius < width) sum += column[x + radius];
            if (x - radius - 1 >= 0) sum -= column[x - radius - 1];
            const int columns = std::min(x + radius, width - 1) - std::max(x - radius, 0) + 1;
            ink[(size_t)y * width + x] = 100 * page[(size_t)y * width + x] * rows * columns < (100 - bias) * sum;
        }
    }
}
