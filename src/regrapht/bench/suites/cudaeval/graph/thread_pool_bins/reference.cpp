#include <algorithm>
#include <cstdint>

void thread_pool_bins(int jobs, int links, const int32_t* row_start, const int32_t* need, const int32_t* cost, int32_t* level, int64_t* finish, int32_t* width)
{
    (void)links;
    std::fill_n(width, jobs, 0);
    for (int j = 0; j < jobs; ++j) {
        int deepest = -1;
        int64_t ready = 0;
        if (j > 0) {
            for (int k = row_start[j]; k < row_start[j + 1]; ++k) {
                const int before = j - 1 - need[k] % j;
                deepest = std::max(deepest, level[before]);
                ready = std::max(ready, finish[before]);
            }
        }
        level[j] = deepest + 1;
        finish[j] = ready + cost[j];
        ++width[level[j]];
    }
}
