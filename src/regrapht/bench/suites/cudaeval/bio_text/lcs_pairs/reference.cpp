#include <algorithm>
#include <cstdint>
#include <vector>

void lcs_pairs(int pairs, int m, int n, const uint8_t* a, const uint8_t* b, int32_t* common)
{
    std::vector<std::vector<int>> length(m + 1, std::vector<int>(n + 1, 0));
    for (int p = 0; p < pairs; ++p) {
        const uint8_t* first = a + (long)p * m;
        const uint8_t* second = b + (long)p * n;
        for (int i = 1; i <= m; ++i)
            for (int j = 1; j <= n; ++j)
                length[i][j] = first[i - 1] == second[j - 1] ? length[i - 1][j - 1] + 1 : std::max(length[i - 1][j], length[i][j - 1]);
        common[p] = length[m][n];
    }
}
