#include <cstdint>

struct Corner {
    int x, y;
};

void ring_areas(int rings, int corners, const int* start, const Corner* corner, int64_t* doubled) {
    (void)corners;
    for (int r = 0; r < rings; ++r) {
        int64_t sum = 0;
        const Corner* end = corner + start[r + 1];
        for (const Corner* c = corner + start[r]; c != end; ++c) {
            const Corner* next = c + 1 == end ? corner + start[r] : c + 1;
            sum += (int64_t)c->x * next->y - (int64_t)next->x * c->y;
        }
        doubled[r] = sum;
    }
}
