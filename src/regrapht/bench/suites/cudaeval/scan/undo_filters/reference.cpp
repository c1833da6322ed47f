#include <cstdint>
#include <cstdlib>

static uint8_t paeth(int a, int b, int c)
{
    const int p = a + b - c, pa = std::abs(p - a), pb = std::abs(p - b), pc = std::abs(p - c);
    if (pa <= pb && pa <= pc) return (uint8_t)a;
    return (uint8_t)(pb <= pc ? b : c);
}

void undo_filters(int pictures, int height, int width, const uint8_t* filter, uint8_t* data)
{
    const int stride = 3 * width;
    for (int i = 0; i < pictures; ++i) {
        const uint8_t* above = nullptr;
        uint8_t* row = data + (size_t)i * height * stride;
        for (int y = 0; y < height; ++y, above = row, row += stride) {
            for (int x = 0; x < stride; ++x) {
                const int a = x >= 3 ? row[x - 3] : 0, b = above ? above[x] : 0, c = above && x >= 3 ? above[x - 3] : 0;
                switch (filter[i * height + y]) {
                case 1: row[x] += a; break;
                case 2: row[x] += b; break;
                case 3: row[x] += (a + b) / 2; break;
                case 4: row[x] += paeth(a, b, c); break;
                default: break;
                }
            }
        }
    }
}
