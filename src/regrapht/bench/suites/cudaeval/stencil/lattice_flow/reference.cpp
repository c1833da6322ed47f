#include <cstdint>
#include <vector>

static const int kEast[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int kNorth[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int kOpposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const float kWeight[9] = {4.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 9, 1.0f / 36, 1.0f / 36, 1.0f / 36, 1.0f / 36};

// Relaxation of one cell's populations towards their equilibrium.
static void collide(float omega, float* f) {
    float density = 0.0f, east = 0.0f, north = 0.0f;
    for (int k = 0; k < 9; ++k) {
        density += f[k];
        east += kEast[k] * f[k];
        north += kNorth[k] * f[k];
    }
    east /= density;
    north /= density;
    for (int k = 0; k < 9; ++k) {
        const float along = kEast[k] * east + kNorth[k] * north;
        const float rest = kWeight[k] * density * (1.0f + 3.0f * along + 4.5f * along * along - 1.5f * (east * east + north * north));
        f[k] += omega * (rest - f[k]);
    }
}

void lattice_flow(int height, int width, int steps, float omega, const uint8_t* solid, float* population) {
    const int64_t cells = (int64_t)height * width;
    std::vector<float> next(9 * cells);
    for (int step = 0; step < steps; ++step) {
        for (int64_t c = 0; c < cells; ++c)
            if (!solid[c]) collide(omega, population + 9 * c);
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const int64_t here = (int64_t)y * width + x;
                for (int k = 0; k < 9; ++k) {
                    const int64_t there = (int64_t)((y + kNorth[k] + height) % height) * width + (x + kEast[k] + width) % width;
                    if (solid[here]) next[9 * here + k] = population[9 * here + k];
                    else if (solid[there]) next[9 * here + kOpposite[k]] = population[9 * here + k];
                    else next[9 * there + k] = population[9 * here + k];
                }
            }
        }
        for (int64_t i = 0; i < 9 * cells; ++i) population[i] = next[i];
    }
}
