#include <climits>
#include <cstddef>

struct Point {
    short x, y, z;
};

static int squared(const Point& a, const Point& b) {
    const int dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

// A point that has some neighbour as near as the largest distance so far cannot raise it: the search stops there.
static int farthest_of(int n, int m, const Point* a, const Point* b) {
    int most = 0;
    for (int i = 0; i < n; ++i) {
        int least = INT_MAX;
        int j = 0;
        while (j < m && least > most) {
            int distance = squared(a[i], b[j++]);
            if (distance < least) least = distance;
        }
        if (least > most) most = least;
    }
    return most;
}

void hausdorff_pairs(int pairs, int n, int m, const Point* a, const Point* b, int* farthest) {
    for (int p = 0; p < pairs; ++p) farthest[p] = farthest_of(n, m, a + (size_t)p * n, b + (size_t)p * m);
}
