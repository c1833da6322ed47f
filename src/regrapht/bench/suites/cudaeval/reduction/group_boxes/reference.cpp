#include <algorithm>
#include <climits>
#include <cstdint>

struct Point {
    int32_t x, y;
};

struct Box {
    int32_t left = INT_MAX, top = INT_MAX, right = INT_MIN, bottom = INT_MIN;

    // Whether the point became the first of the left side.
    bool take(const Point& p)
    {
        const bool new_left = p.x < left || left == INT_MAX;
        left = std::min(left, p.x);
        top = std::min(top, p.y);
        right = std::max(right, p.x);
        bottom = std::max(bottom, p.y);
        return new_left;
    }
};

void group_boxes(int points, int groups, const Point* point, const int32_t* group, Box* box, int32_t* count, int32_t* leftmost)
{
    std::fill_n(box, groups, Box());
    std::fill_n(count, groups, 0);
    std::fill_n(leftmost, groups, -1);
    for (int i = 0; i < points; ++i) {
        ++count[group[i]];
        if (box[group[i]].take(point[i])) leftmost[group[i]] = i;
    }
}
