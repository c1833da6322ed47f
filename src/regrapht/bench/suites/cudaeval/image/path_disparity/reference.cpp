#include <algorithm>
#include <cstdint>
#include <vector>

class RowPaths {
public:
    RowPaths(int width, int levels, int small, int large) : width_(width), levels_(levels), small_(small), large_(large), sum_((std::size_t)width * levels) {}

    void start() { std::fill(sum_.begin(), sum_.end(), 0); }

    void walk(const uint8_t* cost, bool rightwards)
    {
        std::vector<int> before, now(levels_);
        for (int k = 0; k < width_; ++k) {
            const int x = rightwards ? k : width_ - 1 - k;
            const int least = before.empty() ? 0 : *std::min_element(before.begin(), before.end());
            for (int d = 0; d < levels_; ++d) {
                now[d] = cost[x * levels_ + d];
                if (!before.empty()) {
                    int way = std::min(before[d], least + large_);
                    if (d > 0) way = std::min(way, before[d - 1] + small_);
                    if (d + 1 < levels_) way = std::min(way, before[d + 1] + small_);
                    now[d] += way - least;
                }
                sum_[(std::size_t)x * levels_ + d] += now[d];
            }
            before = now;
        }
    }

    void settle(uint8_t* disparity, int32_t* total) const
    {
        for (int x = 0; x < width_; ++x) {
            const auto from = sum_.begin() + (std::size_t)x * levels_, best = std::min_element(from, from + levels_);
            disparity[x] = (uint8_t)(best - from);
            total[x] = *best;
        }
    }

private:
    int width_, levels_, small_, large_;
    std::vector<int> sum_;
};

void path_disparity(int height, int width, int levels, int32_t small, int32_t large, const uint8_t* cost, uint8_t* disparity, int32_t* total)
{
    RowPaths paths(width, levels, small, large);
    for (int y = 0; y < height; ++y) {
        const uint8_t* row = cost + (long)y * width * levels;
        paths.start();
        paths.walk(row, true);
        paths.walk(row, false);
        paths.settle(disparity + (long)y * width, total + (long)y * width);
    }
}
