#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

struct Point {
    int32_t x, y;
    bool operator<(const Point& o) const { return x != o.x ? x < o.x : y < o.y; }
    bool operator==(const Point& o) const { return x == o.x && y == o.y; }
};

static int turn(const Point& a, const Point& b, const Point& c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

template <typename Iterator>
static void chain(Iterator first, Iterator last, std::vector<Point>& hull)
{
    const std::size_t base = hull.size();
    for (; first != last; ++first) {
        while (hull.size() >= base + 2 && turn(hull[hull.size() - 2], hull.back(), *first) <= 0) hull.pop_back();
        hull.push_back(*first);
    }
    hull.pop_back();
}

void group_hulls(int groups, int points, const Point* point, int32_t* corners, int32_t* twice_area, int32_t* lowest)
{
    for (int g = 0; g < groups; ++g) {
        const Point* own = point + (long)g * points;
        lowest[g] = (int32_t)(std::min_element(own, own + points) - own);
        std::vector<Point> sorted(own, own + points), hull;
        std::sort(sorted.begin(), sorted.end());
        sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
        corners[g] = 1;
        twice_area[g] = 0;
        if (sorted.size() == 1) continue;
        chain(sorted.begin(), sorted.end(), hull);
        chain(sorted.rbegin(), sorted.rend(), hull);
        corners[g] = (int32_t)hull.size();
        for (std::size_t k = 1; k + 1 < hull.size(); ++k) twice_area[g] += turn(hull[0], hull[k], hull[k + 1]);
    }
}
