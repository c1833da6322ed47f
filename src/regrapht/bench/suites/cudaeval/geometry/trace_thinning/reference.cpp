#include <cstdint>
#include <cstdlib>

struct Fix { int32_t x, y, t; };

class Thinner {
public:
    Thinner(int64_t apart, int32_t pause) : apart_(apart), pause_(pause) {}

    bool wants(const Fix& last, const Fix& now) const
    {
        const int64_t dx = now.x - last.x, dy = now.y - last.y;
        return dx * dx + dy * dy > apart_ * apart_ || now.t - last.t > pause_;
    }

private:
    int64_t apart_;
    int32_t pause_;
};

void trace_thinning(int tracks, int points, int32_t apart, int32_t pause, const int32_t* start, const Fix* point, uint8_t* keep, int32_t* kept, int64_t* length)
{
    (void)points;
    const Thinner thinner(apart, pause);
    for (int t = 0; t < tracks; ++t) {
        kept[t] = 0;
        length[t] = 0;
        const Fix* last = nullptr;
        for (int i = start[t]; i < start[t + 1]; ++i) {
            const Fix& now = point[i];
            keep[i] = !last || i + 1 == start[t + 1] || thinner.wants(*last, now);
            if (!keep[i]) continue;
            if (last) length[t] += std::abs(now.x - last->x) + std::abs(now.y - last->y);
            last = &now;
            ++kept[t];
        }
    }
}
