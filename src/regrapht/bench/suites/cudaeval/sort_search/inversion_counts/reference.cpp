#include <algorithm>
#include <cstdint>
#include <vector>

// Merges neighbouring sorted runs; returns how many pairs of theirs were out of order.
static int32_t merged(const int32_t* left, const int32_t* right, const int32_t* end, int32_t* to) {
    int32_t crossed = 0;
    const int32_t* const middle = right;
    while (left != middle || right != end) {
        if (right == end || (left != middle && *left <= *right)) {
            *to++ = *left++;
        } else {
            crossed += (int32_t)(middle - left);
            *to++ = *right++;
        }
    }
    return crossed;
}

void inversion_counts(int rows, int length, const int32_t* rank, int32_t* inversions) {
    std::vector<int32_t> from(length), to(length);
    for (int r = 0; r < rows; ++r, rank += length) {
        std::copy(rank, rank + length, from.begin());
        inversions[r] = 0;
        for (int run = 1; run < length; run *= 2) {
            for (int first = 0; first < length; first += 2 * run) {
                const int middle = std::min(first + run, length), end = std::min(first + 2 * run, length);
                inversions[r] += merged(from.data() + first, from.data() + middle, from.data() + end, to.data() + first);
            }
            from.swap(to);
        }
    }
}
