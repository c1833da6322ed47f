#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

// Mann-Whitney U of every feature between treated and untreated samples, from the ranks of the joint sample.
void rank_sum_screen(int features, int samples, const int16_t* value, const uint8_t* treated, int64_t* twice_u) {
    std::vector<std::pair<int16_t, uint8_t>> row(samples);
    for (int f = 0; f < features; ++f) {
        for (int i = 0; i < samples; ++i) row[i] = {value[(int64_t)f * samples + i], treated[i]};
        std::sort(row.begin(), row.end());
        int64_t twice_ranks = 0, count = 0;
        for (int begin = 0; begin < samples;) {
            int end = begin;
            int64_t tied = 0;
            while (end < samples && row[end].first == row[begin].first) tied += row[end++].second;
            twice_ranks += tied * (begin + end + 1);
            count += tied;
            begin = end;
        }
        twice_u[f] = twice_ranks - count * (count + 1);
    }
}
