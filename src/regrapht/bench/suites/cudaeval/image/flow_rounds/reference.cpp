#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

struct Motion {
    float across, down;
};

struct Change {
    float across, down, later;
};

struct Picture {
    int height, width;
    size_t at(int y, int x) const { return (size_t)std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1); }
};

static Change change_at(const Picture& p, const uint8_t* before, const uint8_t* after, int y, int x) {
    const size_t west = p.at(y, x - 1), east = p.at(y, x + 1), north = p.at(y - 1, x), south = p.at(y + 1, x), here = p.at(y, x);
    Change c;
    c.across = 0.25f * (float)(before[east] - before[west] + after[east] - after[west]);
    c.down = 0.25f * (float)(before[south] - before[north] + after[south] - after[north]);
    c.later = (float)(after[here] - before[here]);
    return c;
}

static Motion mean_around(const Picture& p, const std::vector<Motion>& field, int y, int x) {
    Motion mean = {0.0f, 0.0f};
    for (int v = -1; v <= 1; ++v) {
        for (int u = -1; u <= 1; ++u) {
            if (u == 0 && v == 0) continue;
            const Motion& m = field[p.at(y + v, x + u)];
            const float weight = u != 0 && v != 0 ? 1.0f / 12.0f : 1.0f / 6.0f;
            mean.across += weight * m.across;
            mean.down += weight * m.down;
        }
    }
    return mean;
}

void flow_rounds(int height, int width, int rounds, float stiffness, const uint8_t* before, const uint8_t* after, float* motion) {
    const Picture picture{height, width};
    std::vector<Change> change;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) change.push_back(change_at(picture, before, after, y, x));
    std::vector<Motion> now(change.size(), Motion{0.0f, 0.0f}), next(change.size());
    while (rounds-- > 0) {
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                const Change& c = change[picture.at(y, x)];
                Motion m = mean_around(picture, now, y, x);
                const float miss = c.across * m.across + c.down * m.down + c.later;
                const float step = miss / (stiffness + c.across * c.across + c.down * c.down);
                m.across -= c.across * step;
                m.down -= c.down * step;
                next[picture.at(y, x)] = m;
            }
        }
        std::swap(now, next);
    }
    for (const Motion& m : now) {
        *motion++ = m.across;
        *motion++ = m.down;
    }
}
