#include <algorithm>
#include <cstdint>
#include <cstdlib>

struct Galaxy {
    int16_t x, y, z, w;
};

void polar_pairs(int galaxies, int rings, const Galaxy* galaxy, const int32_t* edges, int64_t* count)
{
    std::fill_n(count, rings * 10, 0);
    for (int i = 0; i < galaxies; ++i) {
        for (int j = i + 1; j < galaxies; ++j) {
            const int dx = galaxy[i].x - galaxy[j].x, dy = galaxy[i].y - galaxy[j].y, dz = galaxy[i].z - galaxy[j].z;
            const int d2 = dx * dx + dy * dy + dz * dz;
            const int ring = (int)(std::upper_bound(edges, edges + rings + 1, d2) - edges) - 1;
            if (ring < 0 || ring >= rings) continue;
            const int angle = 10 * std::abs(dz) / (std::abs(dx) + std::abs(dy) + std::abs(dz) + 1);
            const bool kept = (galaxy[i].w ^ galaxy[j].w) % 7 != 0;  // pairs observed through one fibre collide
            if (kept) ++count[ring * 10 + angle];
        }
    }
}
