// Full-search block matching by sums of absolute differences.
#include <climits>
#include <cstddef>
#include <cstdlib>

static int difference(const unsigned char* a, const unsigned char* b, size_t pitch) {
    int sum = 0;
    for (int y = 0; y < 16; ++y)
        for (int x = 0; x < 16; ++x) sum += std::abs(a[y * pitch + x] - b[y * pitch + x]);
    return sum;
}

void block_motion(int down, int across, int radius, const unsigned char* now, const unsigned char* before, int* motion,
                  int* cost) {
    const int rows = 16 * down, pitch = 16 * across;
    for (int block = 0; block < down * across; ++block) {
        const int top = block / across * 16, left = block % across * 16;
        int least = INT_MAX;
        for (int dy = -radius; dy <= radius; ++dy) {
            if (top + dy < 0 || top + dy + 16 > rows) continue;
            for (int dx = -radius; dx <= radius; ++dx) {
                if (left + dx < 0 || left + dx + 16 > pitch) continue;
                const int found = difference(now + (size_t)top * pitch + left,
                                             before + (size_t)(top + dy) * pitch + left + dx, pitch);
                if (found < least) {
                    least = found;
                    motion[2 * block] = dx;
                    motion[2 * block + 1] = dy;
                }
            }
        }
        cost[block] = least;
    }
}
