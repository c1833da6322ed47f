// Count, highest point and summed echo of a laser scan by grid cell.
#include <algorithm>
#include <cstddef>

struct Return {
    int x, y, z, echo;
};

void birdseye_grid(int points, int cells, int cell, const Return* scan, int* returns, int* top, int* echo_sum) {
    for (size_t i = 0; i < (size_t)cells * cells; ++i) {
        returns[i] = 0;
        top[i] = -100000;
        echo_sum[i] = 0;
    }
    for (int p = 0; p < points; ++p) {
        const Return& r = scan[p];
        if (r.x < 0 || r.y < 0) continue;
        int column = r.x / cell, row = r.y / cell;
        if (column >= cells || row >= cells) continue;
        size_t at = (size_t)row * cells + column;
        ++returns[at];
        top[at] = std::max(top[at], r.z);
        echo_sum[at] += r.echo & 255;
    }
}
