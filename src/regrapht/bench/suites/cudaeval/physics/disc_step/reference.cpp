#include <cmath>
#include <cstddef>
#include <vector>

namespace {
constexpr float kStep = 0.05f, kKeep = 0.98f;

float nearest_image(float d, int side) {
    if (d > 0.5f * side) return d - side;
    return d < -0.5f * side ? d + side : d;
}

// Discs binned by the unit square that holds their centre.
struct Bins {
    int side;
    std::vector<int> start, member;

    int wrapped(int k) const { return k < 0 ? k + side : k >= side ? k - side : k; }
    int column(float v) const { return wrapped((int)std::floor(v)); }

    Bins(int discs, int side, const float* place) : side(side), start((size_t)side * side + 1), member(discs) {
        std::vector<int> bin(discs);
        for (int i = 0; i < discs; ++i) {
            bin[i] = column(place[2 * i + 1]) * side + column(place[2 * i]);
            ++start[bin[i] + 1];
        }
        for (size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
        std::vector<int> next(start.begin(), start.end() - 1);
        for (int i = 0; i < discs; ++i) member[next[bin[i]]++] = i;
    }
};
}  // namespace

void disc_step(int side, int crowd, float* place, float* speed) {
    const int discs = crowd * side * side;
    const Bins bins(discs, side, place);
    std::vector<float> force(2 * (size_t)discs, 0.0f);
    for (int i = 0; i < discs; ++i) {
        const float x = place[2 * i], y = place[2 * i + 1];
        const int row = bins.column(y), col = bins.column(x);
        for (int near = 0; near < 9; ++near) {
            const int bin = bins.wrapped(row + near / 3 - 1) * side + bins.wrapped(col + near % 3 - 1);
            for (int m = bins.start[bin]; m < bins.start[bin + 1]; ++m) {
                const float* other = place + 2 * bins.member[m];
                const float dx = nearest_image(x - other[0], side), dy = nearest_image(y - other[1], side);
                const float square = dx * dx + dy * dy;
                if (square >= 1.0f || square == 0.0f) continue;
                const float push = 1.0f / std::sqrt(square) - 1.0f;
                force[2 * i] += push * dx;
                force[2 * i + 1] += push * dy;
            }
        }
    }
    for (size_t k = 0; k < force.size(); ++k) {
        speed[k] = (speed[k] + kStep * force[k]) * kKeep;
        place[k] += kStep * speed[k];
    }
}
