#include <array>
#include <cmath>
#include <cstdint>

using Pair = std::array<float, 2>;

struct Level {
    const Pair* table;
    uint32_t mask;
    int cells;

    const Pair& corner(uint32_t i, uint32_t j) const { return table[(i ^ j * 2654435761u) & mask]; }

    Pair encode(const float* at) const
    {
        const float x = at[0] * cells, y = at[1] * cells, i = std::floor(x), j = std::floor(y), fx = x - i, fy = y - j;
        Pair sum{};
        for (int c = 0; c < 4; ++c) {
            const float weight = (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy);
            const Pair& value = corner((uint32_t)i + (c & 1), (uint32_t)j + (c >> 1));
            for (int f = 0; f < 2; ++f) sum[f] += weight * value[f];
        }
        return sum;
    }
};

void hash_grid_encode(int points, int levels, int entries, const float* place, const float* table, float* encoded)
{
    for (int p = 0; p < points; ++p) {
        for (int l = 0; l < levels; ++l) {
            const Level level{reinterpret_cast<const Pair*>(table) + (long)l * entries, (uint32_t)entries - 1, 16 << l};
            const Pair value = level.encode(place + 2 * p);
            encoded[2 * ((long)p * levels + l)] = value[0];
            encoded[2 * ((long)p * levels + l) + 1] = value[1];
        }
    }
}
