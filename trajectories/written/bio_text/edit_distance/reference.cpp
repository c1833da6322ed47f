// Levenshtein distances by dynamic programming, one row of the table at a time.
#include <algorithm>
#include <cstddef>
#include <vector>

void edit_distance(int pairs, int la, int lb, const unsigned char* a, const unsigned char* b, int* distance) {
    std::vector<int> row(lb + 1);
    for (int p = 0; p < pairs; ++p) {
        const unsigned char* s = a + (size_t)p * la;
        const unsigned char* t = b + (size_t)p * lb;
        for (int j = 0; j <= lb; ++j) row[j] = j;
        for (int i = 1; i <= la; ++i) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= lb; ++j) {
                int substituted = diagonal + (s[i - 1] != t[j - 1] ? 1 : 0);
                diagonal = row[j];
                row[j] = std::min(substituted, std::min(row[j], row[j - 1]) + 1);
            }
        }
        distance[p] = row[lb];
    }
}
