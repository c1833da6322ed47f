#include <algorithm>
#include <cstdint>

void queue_waits(int servers, int jobs, const uint16_t* gap, const uint16_t* work, int32_t* wait) {
    for (int r = 0; r < servers; ++r) {
        int64_t job = (int64_t)r * jobs;
        int32_t waited = 0;
        wait[job] = 0;
        for (int t = 1; t < jobs; ++t) {
            waited = std::max(0, waited + work[job] - gap[job + 1]);
            wait[++job] = waited;
        }
    }
}
