#include <cstdint>
#include <cstring>

struct Journey {
    int32_t from, to, riders;
};

void trip_matrix(int cells, int journeys, const uint8_t* zone, const Journey* journey, int32_t* passengers, int32_t* trips) {
    (void)cells;
    std::memset(passengers, 0, 32 * 32 * sizeof(int32_t));
    std::memset(trips, 0, 32 * 32 * sizeof(int32_t));
    for (const Journey* j = journey; j != journey + journeys; ++j) {
        if (j->riders == 0) continue;
        const int pair = 32 * zone[j->from] + zone[j->to];
        passengers[pair] += j->riders;
        trips[pair]++;
    }
}
