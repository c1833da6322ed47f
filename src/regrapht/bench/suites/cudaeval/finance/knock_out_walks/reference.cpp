#include <algorithm>
#include <cstdint>

struct Coins {
    uint32_t walk, seed;

    bool operator()(int step) const
    {
        uint32_t x = walk * 0x9e3779b9u + (uint32_t)(step / 32) * 0x7f4a7c15u + seed;
        x = (x ^ (x >> 17)) * 0xed5ad4bbu;
        x = (x ^ (x >> 11)) * 0xac4c1b51u;
        x ^= x >> 15;
        return x >> (step % 32) & 1;
    }
};

void knock_out_walks(int walks, int steps, uint32_t seed, int up, int down, int barrier, int strike, const int32_t* start, int32_t* when, int32_t* last,
                     int64_t* payout)
{
    *payout = 0;
    for (int w = 0; w < walks; ++w) {
        const Coins coin{(uint32_t)w, seed};
        int price = start[w], out = 0;
        for (int s = 0; s < steps && !out; ++s) {
            price += coin(s) ? up : -down;
            if (price >= barrier) out = s + 1;
        }
        when[w] = out;
        last[w] = price;
        if (!out) *payout += std::max(0, price - strike);
    }
}
