#include <cstdint>
#include <cstring>

static bool comes_before(const uint8_t *name, int a, int b)
{
    const int order = memcmp(name + 8l * a, name + 8l * b, 8);
    return order < 0 || (order == 0 && a < b);
}

void name_ranks(int names, const uint8_t *name, int32_t *rank)
{
    for (int i = 0; i < names; i++) {
        rank[i] = 0;
        for (int j = 0; j < names; j++)
            rank[i] += comes_before(name, j, i);
    }
}
