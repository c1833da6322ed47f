#include <cstdint>

void best_stretch(int traders, int days, const int32_t* profit, int64_t* best, int32_t* first, int32_t* last)
{
    for (int t = 0; t < traders; ++t) {
        const int32_t* row = profit + (long)t * days;
        int64_t run = row[0];
        int begin = 0;
        best[t] = run;
        first[t] = last[t] = 0;
        for (int d = 1; d < days; ++d) {
            if (run > 0) {
                run += row[d];
            } else {
                run = row[d];
                begin = d;
            }
            if (run > best[t]) {
                best[t] = run;
                first[t] = begin;
                last[t] = d;
            }
        }
    }
}
