#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

void neighbour_votes(int samples, int queries, int parts, int near, int classes, const uint8_t* sample, const int32_t* label, const uint8_t* query,
                     int32_t* class_of, int32_t* reach)
{
    std::vector<std::pair<int, int>> order(samples);
    for (int q = 0; q < queries; ++q) {
        for (int s = 0; s < samples; ++s) {
            int sum = 0;
            for (int p = 0; p < parts; ++p) {
                const int d = sample[(long)s * parts + p] - query[(long)q * parts + p];
                sum += d * d;
            }
            order[s] = {sum, s};
        }
        const int count = std::min(near, samples);
        std::partial_sort(order.begin(), order.begin() + count, order.end());
        std::vector<int> votes(classes);
        for (int k = 0; k < count; ++k) ++votes[label[order[k].second]];
        class_of[q] = (int)(std::max_element(votes.begin(), votes.end()) - votes.begin());
        reach[q] = order[count - 1].first;
    }
}
