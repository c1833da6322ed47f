#include <algorithm>
#include <cstdint>

void interval_stabs(int shifts, int moments, const int64_t* begins, const int64_t* ends, const int64_t* moment, int32_t* on, int64_t* next)
{
    for (int i = 0; i < moments; ++i) {
        const int64_t* started = std::upper_bound(begins, begins + shifts, moment[i]);
        const int64_t* ended = std::upper_bound(ends, ends + shifts, moment[i]);
        on[i] = (int32_t)((started - begins) - (ended - ends));
        next[i] = started == begins + shifts ? -1 : *started - moment[i];
    }
}
