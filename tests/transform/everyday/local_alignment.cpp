// shape: a = n
// shape: b = m
// shape: best = 1
// init: a = ints(0, 4)
// init: b = ints(0, 4)
// one thread: 16
// check: n=1, m=1; n=9, m=14; n=40, m=33
// random: n=1..60, m=1..60
#include <algorithm>
#include <cstdlib>

void local_alignment(const unsigned char* a, const unsigned char* b, int* best, int n, int m) {
#define H(i, j) table[(i) * (m + 1) + (j)]
    const int match = 2, mismatch = -1, gap = -1;
    int* table = (int*)calloc((size_t)(n + 1) * (m + 1), sizeof(int));
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j) {
            const int diagonal = H(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? match : mismatch);
            H(i, j) = std::max({0, diagonal, H(i - 1, j) + gap, H(i, j - 1) + gap});
        }
    int top = 0;
    for (int i = 1; i <= n; ++i)
        for (int j = 1; j <= m; ++j)
            if (H(i, j) > top) top = H(i, j);
    *best = top;
    free(table);
#undef H
}
