#include <algorithm>
#include <cstdint>

struct Place {
    int tokens;
    const int32_t *small, *large;

    bool accepts(int token, int64_t chance) const { return chance * small[token] < 65536 * (int64_t)large[token]; }
    int64_t rest(int v) const { return std::max(0, large[v] - small[v]); }

    int draw(int64_t spare) const
    {
        int64_t total = 0;
        for (int v = 0; v < tokens; ++v) total += rest(v);
        if (total == 0) return -1;
        int64_t left = spare % total;
        int v = 0;
        while (left >= rest(v)) left -= rest(v++);
        return v;
    }
};

void speculative_accept(int sequences, int steps, int tokens, const int32_t* draft, const int32_t* small, const int32_t* large, const int32_t* chance,
                        const int32_t* spare, int32_t* kept, int32_t* next)
{
    for (int s = 0; s < sequences; ++s) {
        kept[s] = steps;
        next[s] = -1;
        for (int t = 0; t < steps; ++t) {
            const long at = (long)s * steps + t;
            const Place place{tokens, small + at * tokens, large + at * tokens};
            if (place.accepts(draft[at], chance[at])) continue;
            kept[s] = t;
            next[s] = place.draw(spare[s]);
            break;
        }
    }
}
