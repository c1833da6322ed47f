#include <algorithm>
#include <cstdint>

namespace {

// Counter-based: a number is a function of the year and of which draw of the year it is.
class Draws {
public:
    Draws(uint32_t key, uint32_t year) : base_(key + year * 2654435761u) {}

    uint32_t operator()(uint32_t k) const
    {
        uint32_t x = base_ + k * 2246822519u;
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        return x ^ (x >> 16);
    }

private:
    uint32_t base_;
};

}  // namespace

void claim_years(int years, int levels, uint32_t key, int most, int retention, int limit, const int32_t* cost, int64_t* paid, int32_t* hits)
{
    std::fill(hits, hits + levels, 0);
    for (int y = 0; y < years; ++y) {
        const Draws draw(key, (uint32_t)y);
        const int claims = (int)(draw(0) % (uint32_t)(most + 1));
        int64_t total = 0;
        for (int k = 1; k <= claims; ++k) {
            const int level = (int)(draw((uint32_t)k) % (uint32_t)levels);
            ++hits[level];
            total += std::clamp(cost[level] - retention, 0, limit);
        }
        paid[y] = total;
    }
}
