// Seam cost by dynamic programming over rows.
#include <cstddef>

void seam_cost(int height, int width, const int* energy, int* cost, signed char* from) {
    for (int x = 0; x < width; ++x) {
        cost[x] = energy[x];
        from[x] = 0;
    }
    for (int y = 1; y < height; ++y) {
        const size_t row = (size_t)y * width;
        const int* above = cost + row - width;
        for (int x = 0; x < width; ++x) {
            int best = above[x], direction = 0;
            if (x + 1 < width && above[x + 1] < best) {
                best = above[x + 1];
                direction = 1;
            }
            if (x > 0 && above[x - 1] <= best) {
                best = above[x - 1];
                direction = -1;
            }
            cost[row + x] = energy[row + x] + best;
            from[row + x] = (signed char)direction;
        }
    }
}
