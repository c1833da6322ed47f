#include <algorithm>
#include <bitset>
#include <cstdint>
#include <vector>

typedef std::bitset<24> Code;

static std::vector<Code> census(int height, int width, const uint8_t* picture)
{
    std::vector<Code> codes((size_t)height * width);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            Code& code = codes[(size_t)y * width + x];
            int bit = 0;
            for (int dy = -2; dy <= 2; ++dy) {
                for (int dx = -2; dx <= 2; ++dx) {
                    if (dy == 0 && dx == 0) continue;
                    const int v = std::clamp(y + dy, 0, height - 1), u = std::clamp(x + dx, 0, width - 1);
                    code[bit++] = picture[v * width + u] < picture[y * width + x];
                }
            }
        }
    }
    return codes;
}

void census_stereo(int height, int width, int disparities, const uint8_t* left, const uint8_t* right, uint8_t* disparity, uint8_t* cost)
{
    const std::vector<Code> a = census(height, width, left), b = census(height, width, right);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const size_t at = (size_t)y * width + x;
            int best = 25;
            for (int d = 0; d < disparities && d <= x; ++d) {
                const int bits = (int)(a[at] ^ b[at - d]).count();
                if (bits < best) {
                    best = bits;
                    disparity[at] = (uint8_t)d;
                }
            }
            cost[at] = (uint8_t)best;
        }
    }
}
