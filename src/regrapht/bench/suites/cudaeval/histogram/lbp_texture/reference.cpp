#include <array>
#include <cstdint>
#include <utility>

void lbp_texture(int height, int width, const uint8_t* grey, int32_t* counts)
{
    constexpr std::array<std::pair<int, int>, 8> circle = {{{-1, -1}, {-1, 0}, {-1, 1}, {0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}}};
    const int across = (width + 15) / 16, cells = (height + 15) / 16 * across;
    for (int i = 0; i < 10 * cells; ++i) counts[i] = 0;

    for (int y = 1; y + 1 < height; ++y) {
        for (int x = 1; x + 1 < width; ++x) {
            std::array<bool, 8> mark{};
            int marks = 0, changes = 0;
            for (std::size_t k = 0; k < circle.size(); ++k) {
                const auto [dy, dx] = circle[k];
                mark[k] = grey[(y + dy) * width + x + dx] >= grey[y * width + x];
                marks += mark[k];
            }
            for (std::size_t k = 0; k < mark.size(); ++k) changes += mark[k] != mark[(k + 1) % 8];
            ++counts[10 * (y / 16 * across + x / 16) + (changes <= 2 ? marks : 9)];
        }
    }
}
