#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

void top_k_sampling(int rows, int words, int k, int steps, const int32_t* logit, const uint32_t* table, const uint32_t* draw, int32_t* token,
                    uint32_t* weight)
{
    std::vector<int> order(words);
    for (int r = 0; r < rows; ++r) {
        const int32_t* row = logit + (long)r * words;
        std::iota(order.begin(), order.end(), 0);
        std::partial_sort(order.begin(), order.begin() + k, order.end(), [&](int a, int b) { return row[a] != row[b] ? row[a] > row[b] : a < b; });
        // The table is ascending: the best word has its last entry.
        const auto weight_of = [&](int word) {
            const int below = (row[order[0]] - row[word]) / 8;
            return below < steps ? table[steps - 1 - below] : 0u;
        };
        uint32_t total = 0, sum = 0;
        for (int i = 0; i < k; ++i) total += weight_of(order[i]);
        const uint32_t target = draw[r] % total;
        int i = 0;
        while ((sum += weight_of(order[i])) <= target) ++i;
        token[r] = order[i];
        weight[r] = weight_of(order[i]);
    }
}
