// Point in polygon by crossing parity, first polygon that matches.
#include <cstddef>

static bool inside(int px, int py, int ox, int oy, int corners, const short* dx, const short* dy) {
    bool odd = false;
    long long ax = ox + dx[corners - 1], ay = oy + dy[corners - 1];
    for (int i = 0; i < corners; ++i) {
        long long bx = ox + dx[i], by = oy + dy[i];
        if ((ay > py) != (by > py)) {
            long long left = (px - ax) * (by - ay), right = (py - ay) * (bx - ax);
            if ((left < right) == (by > ay)) odd = !odd;
        }
        ax = bx;
        ay = by;
    }
    return odd;
}

void first_zone(int points, int zones, int corners, const int* x, const int* y, const int* zone_x, const int* zone_y,
                const short* dx, const short* dy, int* zone) {
    for (int p = 0; p < points; ++p) {
        zone[p] = -1;
        for (int z = 0; z < zones; ++z) {
            const size_t first = (size_t)z * corners;
            if (inside(x[p], y[p], zone_x[z], zone_y[z], corners, dx + first, dy + first)) {
                zone[p] = z;
                break;
            }
        }
    }
}
