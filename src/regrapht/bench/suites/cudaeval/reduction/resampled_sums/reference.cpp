#include <algorithm>
#include <cstdint>
#include <numeric>

class Places {
public:
    Places(uint64_t seed, uint64_t n) : seed_(seed), n_(n) {}

    uint64_t operator()(uint64_t z) const
    {
        z = (z + seed_) * 0x9e3779b97f4a7c15ull;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        return (z ^ z >> 31) % n_;
    }

private:
    uint64_t seed_, n_;
};

void resampled_sums(int draws, int n, uint64_t seed, const int32_t* value, int64_t* sum, int32_t* below, int64_t* spread)
{
    const Places place(seed, n);
    const int64_t own = std::accumulate(value, value + n, int64_t{0});
    *below = 0;
    for (int d = 0; d < draws; ++d) {
        sum[d] = 0;
        for (int k = 0; k < n; ++k) sum[d] += value[place((uint64_t)d * n + k)];
        *below += sum[d] < own;
    }
    const auto ends = std::minmax_element(sum, sum + draws);
    *spread = *ends.second - *ends.first;
}
