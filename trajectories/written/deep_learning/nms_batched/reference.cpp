// Greedy suppression of overlapping boxes, list by list.
#include <algorithm>
#include <cstddef>
#include <cstdint>

static bool too_close(const int* a, const int* a_size, const int* b, const int* b_size) {
    int across = std::min(a[0] + a_size[0], b[0] + b_size[0]) - std::max(a[0], b[0]);
    int down = std::min(a[1] + a_size[1], b[1] + b_size[1]) - std::max(a[1], b[1]);
    if (across <= 0 || down <= 0) return false;
    int common = across * down;
    return 5 * common > 2 * (a_size[0] * a_size[1] + b_size[0] * b_size[1] - common);
}

void nms_batched(int images, int boxes, const int* corner, const int* extent, const uint8_t* label, uint8_t* keep,
                 int* kept) {
    for (int m = 0; m < images; ++m, corner += 2 * boxes, extent += 2 * boxes, label += boxes, keep += boxes) {
        kept[m] = 0;
        for (int i = 0; i < boxes; ++i) {
            bool good = true;
            for (int j = 0; j < i && good; ++j)
                good = !(keep[j] && label[j] == label[i] &&
                         too_close(corner + 2 * j, extent + 2 * j, corner + 2 * i, extent + 2 * i));
            keep[i] = good;
            kept[m] += good;
        }
    }
}
