#include <cstdint>
#include <cstring>

struct Cell {
    int32_t sum;
    int32_t count;
};

void leaf_histograms(int samples, int features, int leaves, const uint8_t* bin, const int8_t* gradient, const uint8_t* leaf,
                     Cell* histogram) {
    std::memset(histogram, 0, sizeof(Cell) * leaves * features * 32);
    for (int r = 0; r < samples; ++r) {
        if (leaf[r] >= leaves) continue;
        const uint8_t* value = bin + (int64_t)r * features;
        Cell* mine = histogram + (int64_t)leaf[r] * features * 32;
        for (int f = 0; f < features; ++f, mine += 32) {
            mine[value[f]].sum += gradient[r];
            ++mine[value[f]].count;
        }
    }
}
