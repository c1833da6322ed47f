#include <cstdint>
#include <cstring>

enum { kClashes = 6, kOut = 2 };

void conflict_free(int graphs, int n, const uint16_t* clash, uint8_t* taken, int32_t* count) {
    for (int g = 0; g < graphs; ++g, taken += n) {
        int32_t chosen = 0;
        std::memset(taken, 0, n);
        for (int v = 0; v < n; ++v, clash += kClashes) {
            bool free = taken[v] != kOut;
            for (int k = 0; k < kClashes && free; ++k) free = clash[k] == v || taken[clash[k]] != 1;
            if (!free) {
                taken[v] = 0;  // nobody will look at it as one that is taken
                continue;
            }
            for (int k = 0; k < kClashes; ++k)
                if (clash[k] > v) taken[clash[k]] = kOut;
            taken[v] = 1;
            ++chosen;
        }
        count[g] = chosen;
    }
}
