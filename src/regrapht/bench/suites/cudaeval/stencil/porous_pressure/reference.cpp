#include <cmath>
#include <cstddef>
#include <vector>

void porous_pressure(int planes, int rows, int cols, int sweeps, const double* rock, const double* source, double* p, double* change)
{
    const int step[6][3] = {{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}};
    std::vector<double> next((std::size_t)planes * rows * cols);
    for (int s = 0; s < sweeps; ++s) {
        *change = 0.0;
        for (int z = 0; z < planes; ++z)
            for (int y = 0; y < rows; ++y)
                for (int x = 0; x < cols; ++x) {
                    const std::size_t at = ((std::size_t)z * rows + y) * cols + x;
                    double flow = source[at], total = 0.1;
                    for (const auto& d : step) {
                        const int nz = z + d[0], ny = y + d[1], nx = x + d[2];
                        if (nz < 0 || nz >= planes || ny < 0 || ny >= rows || nx < 0 || nx >= cols) continue;
                        const std::size_t other = ((std::size_t)nz * rows + ny) * cols + nx;
                        const double g = 2 * rock[at] * rock[other] / (rock[at] + rock[other]);
                        flow += g * p[other];
                        total += g;
                    }
                    const double moved = 0.8 * (flow / total - p[at]);
                    next[at] = p[at] + moved;
                    *change = std::fmax(*change, std::fabs(moved));
                }
        for (std::size_t i = 0; i < next.size(); ++i) p[i] = next[i];
    }
}
