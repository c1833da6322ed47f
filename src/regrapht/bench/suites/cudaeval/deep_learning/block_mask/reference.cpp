#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace {
constexpr int kSize = 32, kTile = 16;  // numbers of a row; rows of a block

using Pooled = std::vector<std::vector<int>>;

// The sum of each block's rows.
Pooled pooled(int blocks, const int8_t* rows) {
    Pooled sums(blocks, std::vector<int>(kSize, 0));
    for (int b = 0; b < blocks; ++b)
        for (int r = 0; r < kTile; ++r)
            for (int d = 0; d < kSize; ++d) sums[b][d] += *rows++;
    return sums;
}

int product(const std::vector<int>& a, const std::vector<int>& b) {
    int sum = 0;
    for (int d = 0; d < kSize; ++d) sum += a[d] * b[d];
    return sum;
}
}  // namespace

void block_mask(int heads, int blocks, const int8_t* query, const int8_t* key, int32_t* first, int32_t* kept) {
    const size_t step = (size_t)blocks * kTile * kSize;
    int32_t count = 0;
    *first = 0;
    std::vector<int> score(blocks);
    for (int h = 0; h < heads; ++h, query += step, key += step) {
        const Pooled queries = pooled(blocks, query), keys = pooled(blocks, key);
        for (int q = 0; q < blocks; ++q) {
            int64_t total = 0;
            for (int k = 0; k <= q; ++k) total += score[k] = product(queries[q], keys[k]);
            for (int k = 0; k <= q; ++k) {
                const bool is_above = (int64_t)score[k] * (q + 1) > total;
                if (is_above || k == 0 || k == q) kept[count++] = k;
            }
            *++first = count;
        }
    }
    std::fill(kept + count, kept + (size_t)heads * blocks * (blocks + 1) / 2, -1);
}
