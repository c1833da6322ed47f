#include <algorithm>
#include <cstdint>
#include <vector>

struct Box {
    int32_t x, y, w, h;

    int64_t area() const { return (int64_t)w * h; }
};

static int64_t shared_area(const Box& a, const Box& b)
{
    const int64_t w = std::min(a.x + a.w, b.x + b.w) - std::max(a.x, b.x), h = std::min(a.y + a.h, b.y + b.h) - std::max(a.y, b.y);
    return w > 0 && h > 0 ? w * h : 0;
}

void box_suppression(int boxes, int limit, const Box* box, const uint8_t* label, uint8_t* keep, int32_t* kept)
{
    std::vector<int> winners;
    for (int i = 0; i < boxes; ++i) {
        const bool beaten = std::any_of(winners.begin(), winners.end(), [&](int k) {
            if (label[k] != label[i]) return false;
            const int64_t both = shared_area(box[k], box[i]);
            return 100 * both > limit * (box[k].area() + box[i].area() - both);
        });
        keep[i] = !beaten;
        if (!beaten) winners.push_back(i);
    }
    *kept = (int32_t)winners.size();
}
