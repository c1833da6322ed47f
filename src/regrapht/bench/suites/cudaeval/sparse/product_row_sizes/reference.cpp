#include <cstdint>
#include <vector>

void product_row_sizes(int rows, int inner, int cols, int a_entries, int b_entries, const int32_t* a_row, const int32_t* a_col,
                       const int32_t* b_row, const int32_t* b_col, int32_t* size) {
    (void)inner, (void)a_entries, (void)b_entries;
    std::vector<int32_t> met_in(cols, -1);  // the last row of A that led to a column
    for (int r = 0; r < rows; ++r) {
        int32_t found = 0;
        for (int e = a_row[r]; e != a_row[r + 1]; ++e) {
            const int k = a_col[e];
            for (int f = b_row[k]; f != b_row[k + 1]; ++f) {
                if (met_in[b_col[f]] == r) continue;
                met_in[b_col[f]] = r;
                ++found;
            }
        }
        size[r] = found;
    }
}
