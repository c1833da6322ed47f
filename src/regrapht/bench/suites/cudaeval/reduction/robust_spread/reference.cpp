#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

// Location and spread of groups of measurements that outliers do not move: median, median deviation, trimmed sum.
void robust_spread(int groups, int width, const int32_t* value, int32_t* median, int32_t* deviation, int64_t* trimmed) {
    const int middle = (width - 1) / 2, cut = width / 10;
    std::vector<int32_t> sorted(width), away(width);
    for (int g = 0; g < groups; ++g) {
        std::copy(value + (int64_t)g * width, value + (int64_t)(g + 1) * width, sorted.begin());
        std::sort(sorted.begin(), sorted.end());
        median[g] = sorted[middle];
        int64_t sum = 0;
        for (int i = cut; i < width - cut; ++i) sum += sorted[i];
        trimmed[g] = sum;
        for (int i = 0; i < width; ++i) away[i] = std::abs(sorted[i] - sorted[middle]);
        std::nth_element(away.begin(), away.begin() + middle, away.end());
        deviation[g] = away[middle];
    }
}
