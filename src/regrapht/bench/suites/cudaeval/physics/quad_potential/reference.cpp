#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {
constexpr int kLevels = 5;
constexpr float kSoft = 0.25f;

struct Node {
    float mass, x, y;  // and the centre of the mass, in cells
};

struct Level {
    int height, width;
    std::vector<Node> nodes;

    bool has(int r, int c) const { return r >= 0 && r < height && c >= 0 && c < width; }
    const Node& at(int r, int c) const { return nodes[(size_t)r * width + c]; }
};

Node joined(const Level& below, int r, int c, float middle_x, float middle_y) {
    Node sum = {0.0f, 0.0f, 0.0f};
    for (int k = 0; k < 4; ++k) {
        const Node& child = below.at(2 * r + k / 2, 2 * c + k % 2);
        sum.mass += child.mass;
        sum.x += child.mass * child.x;
        sum.y += child.mass * child.y;
    }
    if (sum.mass == 0.0f) return {0.0f, middle_x, middle_y};
    return {sum.mass, sum.x / sum.mass, sum.y / sum.mass};
}

float pull_of(const Level& level, int l, int y, int x) {
    const int row = y >> l, col = x >> l, is_top = l == kLevels - 1;
    const int top = is_top ? row - 3 : (row & ~1) - 2, left = is_top ? col - 3 : (col & ~1) - 2, size = is_top ? 7 : 6;
    float sum = 0.0f;
    for (int r = top; r < top + size; ++r) {
        for (int c = left; c < left + size; ++c) {
            const int apart = std::max(std::abs(r - row), std::abs(c - col));
            if (!level.has(r, c) || apart == 0 || (l > 0 && apart == 1)) continue;
            const Node& node = level.at(r, c);
            const float dx = node.x - (x + 0.5f), dy = node.y - (y + 0.5f);
            sum += node.mass / std::sqrt(dx * dx + dy * dy + kSoft);
        }
    }
    return sum;
}
}  // namespace

void quad_potential(int down, int across, const float* mass, float* potential) {
    const int height = 16 * down, width = 16 * across;
    std::array<Level, kLevels> levels;
    for (int l = 0; l < kLevels; ++l) {
        Level& level = levels[l];
        level.height = height >> l;
        level.width = width >> l;
        for (int r = 0; r < level.height; ++r) {
            for (int c = 0; c < level.width; ++c) {
                const float x = (c + 0.5f) * (1 << l), y = (r + 0.5f) * (1 << l);
                level.nodes.push_back(l == 0 ? Node{mass[r * width + c], x, y} : joined(levels[l - 1], r, c, x, y));
            }
        }
    }
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            float sum = 0.0f;
            for (int l = 0; l < kLevels; ++l) sum += pull_of(levels[l], l, y, x);
            potential[y * width + x] = sum;
        }
    }
}
