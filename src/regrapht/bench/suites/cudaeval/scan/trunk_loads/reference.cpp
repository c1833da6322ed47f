#include <algorithm>
#include <cstdint>
#include <vector>

void trunk_loads(int groups, int m, int n, const uint16_t* begin, const uint16_t* seconds, uint16_t* load, int32_t* peak, int32_t* idle) {
    std::vector<int32_t> change(n + 1);
    for (int g = 0; g < groups; ++g) {
        std::fill(change.begin(), change.end(), 0);
        for (int64_t i = (int64_t)g * m; i < (int64_t)(g + 1) * m; ++i) {
            ++change[begin[i]];
            --change[std::min(n, begin[i] + seconds[i])];
        }
        int32_t busy = 0, most = 0, quiet = 0, longest = 0;
        for (int t = 0; t < n; ++t) {
            busy += change[t];
            quiet = busy > 0 ? 0 : quiet + 1;
            most = std::max(most, busy);
            longest = std::max(longest, quiet);
            load[(int64_t)g * n + t] = (uint16_t)busy;
        }
        peak[g] = most;
        idle[g] = longest;
    }
}
