#include <algorithm>
#include <cmath>
#include <cstdint>

// Logarithm of the sum of exponentials of each segment, and which entry of the segment is the largest.
void segment_log_sums(int segments, int64_t entries, const int64_t* begin, const float* score, float* log_sum, int64_t* winner) {
    (void)entries;
    for (int s = 0; s < segments; ++s) {
        const float *first = score + begin[s], *last = score + begin[s + 1];
        if (first == last) {
            log_sum[s] = -1.0e30f;
            winner[s] = -1;
            continue;
        }
        const float* top = std::max_element(first, last);
        double sum = 0.0;
        for (const float* x = first; x < last; ++x) sum += std::exp(*x - *top);
        log_sum[s] = *top + (float)std::log(sum);
        winner[s] = top - score;
    }
}
