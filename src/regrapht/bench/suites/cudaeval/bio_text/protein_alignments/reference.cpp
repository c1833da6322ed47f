#include <algorithm>
#include <cstdint>
#include <vector>

constexpr int kOpen = 11, kExtend = 1, kLow = -1000000;

struct Cell {
    int h = 0, f = kLow;
};

void protein_alignments(int pairs, int query_length, int target_length, const uint8_t* query, const uint8_t* target, const int8_t* gain,
                        int32_t* best) {
    std::vector<Cell> column(query_length);
    for (int p = 0; p < pairs; ++p, query += query_length, target += target_length) {
        std::fill(column.begin(), column.end(), Cell{});
        int most = 0;
        for (int i = 0; i < target_length; ++i) {
            const int8_t* worth = gain + 20 * target[i];
            int e = kLow, left = 0, corner = 0;
            for (int j = 0; j < query_length; ++j) {
                Cell& cell = column[j];
                e = std::max(e - kExtend, left - kOpen);
                cell.f = std::max(cell.f - kExtend, cell.h - kOpen);
                left = std::max({0, corner + worth[query[j]], e, cell.f});
                corner = cell.h;
                cell.h = left;
                most = std::max(most, left);
            }
        }
        best[p] = most;
    }
}
