#include <algorithm>
#include <cstdint>
#include <vector>

const int32_t UNREACHED = 2000000000;

void toll_rounds(int vertices, int roads, int rounds, const int32_t* row_start, const int32_t* tail, const int32_t* toll, int32_t* distance, int32_t* changed)
{
    (void)roads;
    std::vector<int32_t> before(vertices);
    for (int r = 0; r < rounds; ++r) {
        std::copy_n(distance, vertices, before.begin());
        changed[r] = 0;
        for (int v = 0; v < vertices; ++v) {
            int32_t best = before[v];
            for (int k = row_start[v]; k < row_start[v + 1]; ++k)
                if (before[tail[k]] < UNREACHED) best = std::min(best, before[tail[k]] + toll[k]);
            changed[r] += best != before[v];
            distance[v] = best;
        }
    }
}
