#include <array>
#include <cmath>
#include <cstddef>

namespace {
constexpr int kSide = 32, kReach = 3;
using Mesh = std::array<std::array<float, kSide>, kSide>;

// The three mesh points along one axis that a place touches, and its share of each.
struct Axis {
    int first;
    float share[3];

    explicit Axis(float place) {
        const float nearest = std::rint(place), d = place - nearest;
        first = (int)nearest - 1 + kSide;
        share[0] = 0.5f * (0.5f - d) * (0.5f - d);
        share[1] = 0.75f - d * d;
        share[2] = 0.5f * (0.5f + d) * (0.5f + d);
    }
    int point(int k) const { return (first + k) % kSide; }
};

void spread(const float* place, float charge, Mesh& mesh) {
    const Axis x(place[0]), y(place[1]);
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) mesh[y.point(r)][x.point(c)] += charge * y.share[r] * x.share[c];
}

float gathered(const float* place, const Mesh& mesh) {
    const Axis x(place[0]), y(place[1]);
    float sum = 0.0f;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) sum += y.share[r] * x.share[c] * mesh[y.point(r)][x.point(c)];
    return sum;
}

void smooth(const float* tap, const Mesh& in, Mesh& out) {
    for (int y = 0; y < kSide; ++y) {
        for (int x = 0; x < kSide; ++x) {
            out[y][x] = 0.0f;
            for (int dy = -kReach; dy <= kReach; ++dy)
                for (int dx = -kReach; dx <= kReach; ++dx)
                    out[y][x] += tap[dy + kReach] * tap[dx + kReach] * in[(y + dy + kSide) % kSide][(x + dx + kSide) % kSide];
        }
    }
}
}  // namespace

void charge_frames(int frames, int charges, const float* place, const float* charge, const float* tap, float* potential, float* energy) {
    Mesh density, field;
    for (int f = 0; f < frames; ++f, place += 2 * (size_t)charges, charge += charges, potential += charges) {
        density = {};
        for (int i = 0; i < charges; ++i) spread(place + 2 * i, charge[i], density);
        smooth(tap, density, field);
        energy[f] = 0.0f;
        for (int i = 0; i < charges; ++i) {
            potential[i] = gathered(place + 2 * i, field);
            energy[f] += 0.5f * charge[i] * potential[i];
        }
    }
}
