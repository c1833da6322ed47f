// Volume to Morton-ordered bricks of 8 x 8 x 8 voxels.
#include <algorithm>
#include <cstddef>
#include <cstdint>

static int interleaved(int x, int y, int z) {
    int code = 0;
    for (int bit = 0; bit < 3; ++bit)
        code |= (x >> bit & 1) << (3 * bit) | (y >> bit & 1) << (3 * bit + 1) | (z >> bit & 1) << (3 * bit + 2);
    return code;
}

void morton_bricks(int depth, int height, int width, const uint16_t* volume, uint16_t* bricks, uint16_t* low,
                   uint16_t* high) {
    size_t brick = 0;
    for (int bz = 0; bz < depth; bz += 8) {
        for (int by = 0; by < height; by += 8) {
            for (int bx = 0; bx < width; bx += 8, ++brick) {
                uint16_t smallest = 65535, largest = 0;
                for (int k = 0; k < 512; ++k) {
                    int z = std::min(bz + (k >> 6), depth - 1);
                    int y = std::min(by + (k >> 3 & 7), height - 1);
                    int x = std::min(bx + (k & 7), width - 1);
                    uint16_t value = volume[((size_t)z * height + y) * width + x];
                    bricks[512 * brick + interleaved(k & 7, k >> 3 & 7, k >> 6)] = value;
                    smallest = std::min(smallest, value);
                    largest = std::max(largest, value);
                }
                low[brick] = smallest;
                high[brick] = largest;
            }
        }
    }
}
