#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

struct Cell {
    float h, hu, hv;
};

// Flux from a to b, its neighbour to the east (or, with north, to the north), after Rusanov.
static Cell flux(const Cell& a, const Cell& b, bool north) {
    const float ca = (north ? a.hv : a.hu) / a.h, cb = (north ? b.hv : b.hu) / b.h;
    const float speed = std::max(std::fabs(ca) + std::sqrt(9.81f * a.h), std::fabs(cb) + std::sqrt(9.81f * b.h));
    const float push = 4.905f * (a.h * a.h + b.h * b.h);
    Cell f;
    f.h = 0.5f * (ca * a.h + cb * b.h - speed * (b.h - a.h));
    f.hu = 0.5f * (ca * a.hu + cb * b.hu + (north ? 0.0f : push) - speed * (b.hu - a.hu));
    f.hv = 0.5f * (ca * a.hv + cb * b.hv + (north ? push : 0.0f) - speed * (b.hv - a.hv));
    return f;
}

void flood_wave(int rows, int cols, int steps, float ratio, Cell* water) {
    std::vector<Cell> east((int64_t)rows * (cols + 1)), north((int64_t)(rows + 1) * cols);
    for (int step = 0; step < steps; ++step) {
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x <= cols; ++x) {
                Cell a = water[(int64_t)y * cols + std::max(x - 1, 0)], b = water[(int64_t)y * cols + std::min(x, cols - 1)];
                if (x == 0) a.hu = -a.hu;
                if (x == cols) b.hu = -b.hu;
                east[(int64_t)y * (cols + 1) + x] = flux(a, b, false);
            }
        }
        for (int y = 0; y <= rows; ++y) {
            for (int x = 0; x < cols; ++x) {
                Cell a = water[(int64_t)std::max(y - 1, 0) * cols + x], b = water[(int64_t)std::min(y, rows - 1) * cols + x];
                if (y == 0) a.hv = -a.hv;
                if (y == rows) b.hv = -b.hv;
                north[(int64_t)y * cols + x] = flux(a, b, true);
            }
        }
        for (int y = 0; y < rows; ++y) {
            for (int x = 0; x < cols; ++x) {
                const Cell *e = &east[(int64_t)y * (cols + 1) + x], *n = &north[(int64_t)y * cols + x];
                Cell& w = water[(int64_t)y * cols + x];
                w.h += ratio * (e[0].h - e[1].h + n[0].h - n[cols].h);
                w.hu += ratio * (e[0].hu - e[1].hu + n[0].hu - n[cols].hu);
                w.hv += ratio * (e[0].hv - e[1].hv + n[0].hv - n[cols].hv);
            }
        }
    }
}
