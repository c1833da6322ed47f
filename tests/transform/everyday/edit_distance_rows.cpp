// shape: a = pairs*n
// shape: b = pairs*m
// shape: out = pairs
// init: a = ints(97, 101)
// init: b = ints(97, 101)
// one thread: 18
// check: pairs=1, n=1, m=1; pairs=9, n=7, m=11; pairs=30, n=12, m=8
// random: pairs=1..50, n=1..20, m=1..20
#include <algorithm>
#include <memory>
#include <utility>

void edit_distance_rows(const unsigned char* a, const unsigned char* b, int* out, int pairs, int n, int m) {
    for (int p = 0; p < pairs; ++p) {
        auto previous = std::make_unique<int[]>(m + 1);
        std::unique_ptr<int[]> current(new int[m + 1]);
        for (int j = 0; j <= m; ++j) previous[j] = j;
        for (int i = 1; i <= n; ++i) {
            current[0] = i;
            for (int j = 1; j <= m; ++j) {
                const int swapped = previous[j - 1] + (a[p * n + i - 1] != b[p * m + j - 1]);
                current[j] = std::min({previous[j] + 1, current[j - 1] + 1, swapped});
            }
            std::swap(previous, current);
        }
        out[p] = previous[m];
    }
}
