#include <cstddef>
#include <cstdint>

static int halved(int size) { return size < 2 ? 1 : size / 2; }

static void shrink(int height, int width, const uint8_t* from, uint8_t* to) {
    const int rows = halved(height), columns = halved(width);
    for (int y = 0; y < rows; ++y) {
        const uint8_t* upper = from + 8 * (size_t)y * width;
        const uint8_t* lower = height > 1 ? upper + 4 * (size_t)width : upper;
        for (int x = 0; x < columns; ++x) {
            const int left = 8 * x, right = width > 1 ? left + 4 : left;
            for (int c = 0; c < 4; ++c) {
                int sum = upper[left + c] + upper[right + c] + lower[left + c] + lower[right + c];
                *to++ = (uint8_t)((sum + 2) / 4);
            }
        }
    }
}

void mip_levels(int height, int width, const uint8_t* picture, uint8_t* half, uint8_t* quarter, uint8_t* eighth) {
    shrink(height, width, picture, half);
    height = halved(height);
    width = halved(width);
    shrink(height, width, half, quarter);
    shrink(halved(height), halved(width), quarter, eighth);
}
