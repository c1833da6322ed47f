#include <cstdint>
#include <cstdlib>

struct Level {
    int32_t bid, ask;  // shares wanted and offered at this price
};

struct Fixing {
    int32_t level, volume, surplus;
};

// Opening prices: the price at which most shares change hands, with the least imbalance.
void call_auction(int books, int levels, const Level* level, Fixing* fixing) {
    for (int b = 0; b < books; ++b) {
        const Level* book = level + (int64_t)b * levels;
        int32_t demand = 0, supply = 0;
        for (int p = 0; p < levels; ++p) demand += book[p].bid;
        Fixing best = {-1, 0, 0};
        for (int p = 0; p < levels && demand > 0; ++p) {
            supply += book[p].ask;
            const int32_t volume = demand < supply ? demand : supply, surplus = demand - supply;
            if (volume > best.volume || (volume == best.volume && volume > 0 && std::abs(surplus) < std::abs(best.surplus)))
                best = {p, volume, surplus};
            if (demand < best.volume) break;
            demand -= book[p].bid;
        }
        fixing[b] = best;
    }
}
