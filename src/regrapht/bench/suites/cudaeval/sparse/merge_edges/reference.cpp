#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

using Entry = std::pair<int32_t, int32_t>;  // column, amount

// Joins entries of one column; the row has to be sorted.
static void join_equal(std::vector<Entry>& row) {
    size_t used = 0;
    for (const Entry& entry : row) {
        if (used > 0 && row[used - 1].first == entry.first)
            row[used - 1].second += entry.second;
        else
            row[used++] = entry;
    }
    row.resize(used);
}

void merge_edges(int rows, int cols, int entries, const int32_t* from, const int32_t* to, const int32_t* amount, int32_t* start,
                 int32_t* column, int32_t* total) {
    (void)cols;
    std::vector<std::vector<Entry>> table(rows);
    for (int i = 0; i < entries; ++i) table[from[i]].emplace_back(to[i], amount[i]);
    int32_t used = 0;
    for (int r = 0; r < rows; ++r) {
        std::sort(table[r].begin(), table[r].end());
        join_equal(table[r]);
        start[r] = used;
        for (const Entry& entry : table[r]) {
            column[used] = entry.first;
            total[used++] = entry.second;
        }
    }
    start[rows] = used;
    for (int i = used; i < entries; ++i) {
        column[i] = -1;
        total[i] = 0;
    }
}
