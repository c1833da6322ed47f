#include <cstdint>

// Sums over all subsets, one element of the sets after the other.
void subset_totals(int n, uint32_t* total) {
    for (int64_t bit = 1; bit < n; bit *= 2) {
        for (int64_t start = bit; start < n; start += 2 * bit) {
            const int64_t end = start + bit < n ? start + bit : n;
            for (int64_t s = start; s < end; ++s) total[s] += total[s - bit];
        }
    }
}
