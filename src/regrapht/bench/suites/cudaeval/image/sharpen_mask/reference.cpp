#include <algorithm>
#include <cstdint>
#include <vector>

static const int kWeight[5] = {1, 4, 6, 4, 1};

struct Plane {
    int height, width;
    std::vector<int> values;
    int at(int y, int x) const { return values[std::clamp(y, 0, height - 1) * width + std::clamp(x, 0, width - 1)]; }
};

static Plane smoothed(const Plane& from, int dy, int dx)
{
    Plane to = from;
    for (int y = 0; y < from.height; ++y) {
        for (int x = 0; x < from.width; ++x) {
            int sum = 0;
            for (int k = -2; k <= 2; ++k) sum += kWeight[k + 2] * from.at(y + k * dy, x + k * dx);
            to.values[y * from.width + x] = sum;
        }
    }
    return to;
}

void sharpen_mask(int height, int width, int32_t amount, int32_t edge, const uint8_t* picture, uint8_t* blurred, uint8_t* sharp, int32_t* changed)
{
    const Plane own{height, width, std::vector<int>(picture, picture + height * width)};
    const Plane soft = smoothed(smoothed(own, 0, 1), 1, 0);
    *changed = 0;
    for (int i = 0; i < height * width; ++i) {
        blurred[i] = (uint8_t)((soft.values[i] + 128) / 256);
        const int apart = picture[i] - blurred[i];
        sharp[i] = picture[i];
        if (apart > edge || -apart > edge) sharp[i] = (uint8_t)std::clamp(picture[i] + amount * apart / 16, 0, 255);
        *changed += sharp[i] != picture[i];
    }
}
