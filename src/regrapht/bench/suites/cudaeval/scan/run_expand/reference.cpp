#include <algorithm>
#include <cstdint>

void run_expand(int runs, int capacity, int32_t fill, const int32_t* length, const int32_t* value, int32_t* out, int64_t* total)
{
    int64_t at = 0;
    for (int r = 0; r < runs; ++r) {
        const int64_t end = at + length[r];
        for (int64_t i = at; i < std::min<int64_t>(end, capacity); ++i) out[i] = value[r];
        at = end;
    }
    *total = at;
    while (at < capacity) out[at++] = fill;
}
