#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

void jaro_names(int pairs, const uint8_t* a, const uint8_t* b, const int32_t* length_a, const int32_t* length_b, int32_t* matches, int32_t* moved, int32_t* alike)
{
    for (int i = 0; i < pairs; ++i) {
        const std::string_view left(reinterpret_cast<const char*>(a) + 24l * i, length_a[i]), right(reinterpret_cast<const char*>(b) + 24l * i, length_b[i]);
        const int la = (int)left.size(), lb = (int)right.size(), reach = std::max(0, std::max(la, lb) / 2 - 1);
        std::string from_left, from_right;
        bool taken[24] = {};
        for (int p = 0; p < la; ++p) {
            for (int q = std::max(0, p - reach); q < std::min(lb, p + reach + 1); ++q) {
                if (taken[q] || right[q] != left[p]) continue;
                taken[q] = true;
                from_left += left[p];
                break;
            }
        }
        for (int q = 0; q < lb; ++q)
            if (taken[q]) from_right += right[q];
        const int64_t m = (int64_t)from_left.size();
        int64_t apart = 0;
        for (int k = 0; k < m; ++k) apart += from_left[k] != from_right[k];
        matches[i] = (int32_t)m;
        moved[i] = (int32_t)apart;
        alike[i] = m ? (int32_t)(1000 * (2 * m * lb * m + 2 * m * la * m + (2 * m - apart) * la * lb) / (6 * m * la * lb)) : 0;
    }
}
