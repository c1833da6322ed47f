#include <algorithm>
#include <cstddef>
#include <vector>

// One level of the hierarchy; what lies around a grid is zero.
struct Level {
    int rows, cols;
    const float* rhs;
    float* guess;
    std::vector<float> own_rhs, own_guess, spare;
};

static float peek(const Level& level, const float* field, int y, int x) {
    if (y < 0 || x < 0 || y >= level.rows || x >= level.cols) return 0.0f;
    return field[(size_t)y * level.cols + x];
}

static float defect(const Level& level, const float* guess, int y, int x) {
    const float upright = peek(level, guess, y - 1, x) + peek(level, guess, y + 1, x);
    const float around = upright + peek(level, guess, y, x - 1) + peek(level, guess, y, x + 1);
    return peek(level, level.rhs, y, x) - (4.0f * peek(level, guess, y, x) - around);
}

static void smooth(Level& level, int sweeps) {
    for (; sweeps > 0; --sweeps) {
        for (int y = 0; y < level.rows; ++y)
            for (int x = 0; x < level.cols; ++x)
                level.spare[(size_t)y * level.cols + x] = peek(level, level.guess, y, x) + 0.2f * defect(level, level.guess, y, x);
        std::copy(level.spare.begin(), level.spare.end(), level.guess);
    }
}

static void restrict_defect(const Level& fine, Level& coarse) {
    static const float kWeight[3] = {0.5f, 1.0f, 0.5f};
    std::vector<float> left(fine.spare.size());
    for (int y = 0; y < fine.rows; ++y)
        for (int x = 0; x < fine.cols; ++x) left[(size_t)y * fine.cols + x] = defect(fine, fine.guess, y, x);
    for (int y = 0; y < coarse.rows; ++y) {
        for (int x = 0; x < coarse.cols; ++x) {
            float sum = 0.0f;
            for (int v = 0; v < 3; ++v)
                for (int u = 0; u < 3; ++u) sum += kWeight[v] * kWeight[u] * left[(size_t)(2 * y + v) * fine.cols + 2 * x + u];
            coarse.own_rhs[(size_t)y * coarse.cols + x] = sum;
        }
    }
}

// Cell 2 i + 1 of the fine grid lies on cell i of the coarse one, the others half-way between two.
static void correct(const Level& coarse, Level& fine) {
    for (int y = 0; y < fine.rows; ++y) {
        for (int x = 0; x < fine.cols; ++x) {
            const int above = (y + 1) / 2 - 1, below = y / 2, left = (x + 1) / 2 - 1, right = x / 2;
            const float upper = peek(coarse, coarse.guess, above, left) + peek(coarse, coarse.guess, above, right);
            const float lower = peek(coarse, coarse.guess, below, left) + peek(coarse, coarse.guess, below, right);
            fine.guess[(size_t)y * fine.cols + x] += 0.25f * (upper + lower);
        }
    }
}

void vcycle_step(int rows, int cols, const float* rhs, float* correction) {
    std::vector<Level> levels;
    int r = rows, c = cols;
    while (true) {
        Level level{r, c, rhs, correction, {}, {}, std::vector<float>((size_t)r * c)};
        if (!levels.empty()) {
            level.own_rhs.resize((size_t)r * c);
            level.own_guess.resize((size_t)r * c);
        }
        levels.push_back(std::move(level));
        if (std::min(r, c) < 3) break;
        r = (r - 1) / 2;
        c = (c - 1) / 2;
    }
    for (size_t l = 1; l < levels.size(); ++l) {
        levels[l].rhs = levels[l].own_rhs.data();
        levels[l].guess = levels[l].own_guess.data();
    }
    for (size_t l = 0; l < levels.size(); ++l) {
        std::fill_n(levels[l].guess, levels[l].spare.size(), 0.0f);
        const bool last = l + 1 == levels.size();
        smooth(levels[l], last ? 8 : 2);
        if (!last) restrict_defect(levels[l], levels[l + 1]);
    }
    for (size_t l = levels.size() - 1; l-- > 0;) {
        correct(levels[l + 1], levels[l]);
        smooth(levels[l], 2);
    }
}
