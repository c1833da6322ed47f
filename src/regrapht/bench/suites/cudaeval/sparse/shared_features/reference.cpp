#include <cstdint>

// How many features two sparse rows share, for a list of pairs; the columns of a row are stored as gaps, each at least 1.
void shared_features(int rows, int64_t entries, int pairs, const int64_t* first, const uint8_t* gap, const int32_t* left,
                     const int32_t* right, int32_t* shared) {
    for (int p = 0; p < pairs; ++p) {
        int64_t i = first[left[p]], j = first[right[p]];
        const int64_t i_end = first[left[p] + 1], j_end = first[right[p] + 1];
        int32_t a = i < i_end ? gap[i] : 0, b = j < j_end ? gap[j] : 0, common = 0;
        while (i < i_end && j < j_end) {
            if (a == b) ++common;
            const bool advance_left = a <= b, advance_right = b <= a;
            if (advance_left && ++i < i_end) a += gap[i];
            if (advance_right && ++j < j_end) b += gap[j];
        }
        shared[p] = common;
    }
}
