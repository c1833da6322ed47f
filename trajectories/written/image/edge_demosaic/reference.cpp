// Edge-aware demosaicing of an RGGB mosaic.
#include <algorithm>
#include <cstddef>
#include <cstdlib>

struct Frame {
    int height, width;
    const unsigned short* data;

    int at(int y, int x) const {
        y = y < 0 ? -y : y >= height ? 2 * height - 2 - y : y;
        x = x < 0 ? -x : x >= width ? 2 * width - 2 - x : x;
        return data[(size_t)y * width + x];
    }
};

static unsigned short green_at(const Frame& f, int y, int x) {
    const int twice = 2 * f.at(y, x), l = f.at(y, x - 1), r = f.at(y, x + 1), a = f.at(y - 1, x), b = f.at(y + 1, x);
    const int bend_h = twice - f.at(y, x - 2) - f.at(y, x + 2), bend_v = twice - f.at(y - 2, x) - f.at(y + 2, x);
    const int gh = std::abs(l - r) + std::abs(bend_h), gv = std::abs(a - b) + std::abs(bend_v);
    const int across = 2 * (l + r) + bend_h, along = 2 * (a + b) + bend_v;
    const int green = gh < gv ? across / 4 : gv < gh ? along / 4 : (across + along) / 8;
    return (unsigned short)std::min(65535, std::max(0, green));
}

void edge_demosaic(int height, int width, const unsigned short* mosaic, unsigned short* rgb) {
    const Frame f = {height, width, mosaic};
    unsigned short* plane[3] = {rgb, rgb + (size_t)height * width, rgb + 2 * (size_t)height * width};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const size_t i = (size_t)y * width + x;
            const int colour = y % 2 + x % 2;  // 0 red, 1 green, 2 blue
            plane[colour][i] = mosaic[i];
            if (colour == 1) {
                const int across = (f.at(y, x - 1) + f.at(y, x + 1) + 1) / 2;
                const int along = (f.at(y - 1, x) + f.at(y + 1, x) + 1) / 2;
                plane[0][i] = (unsigned short)(y % 2 == 0 ? across : along);
                plane[2][i] = (unsigned short)(y % 2 == 0 ? along : across);
            } else {
                plane[1][i] = green_at(f, y, x);
                const int diagonals =
                    f.at(y - 1, x - 1) + f.at(y - 1, x + 1) + f.at(y + 1, x - 1) + f.at(y + 1, x + 1);
                plane[2 - colour][i] = (unsigned short)((diagonals + 2) / 4);
            }
        }
    }
}
