#include <cstdint>
#include <deque>

// Days whose price may still become an extreme; the front is the present one.
template <class Worse>
class Extreme {
public:
    explicit Extreme(const int32_t* price) : price_(price) {}

    void push(int day, int window)
    {
        while (!days_.empty() && !Worse{}(price_[day], price_[days_.back()])) days_.pop_back();
        days_.push_back(day);
        if (days_.front() <= day - window) days_.pop_front();
    }
    int day() const { return days_.front(); }

private:
    const int32_t* price_;
    std::deque<int> days_;
};

struct Lower {
    bool operator()(int32_t a, int32_t b) const { return a < b; }
};
struct Higher {
    bool operator()(int32_t a, int32_t b) const { return a > b; }
};

void ring_maxima(int series, int days, int window, const int32_t* price, int32_t* high, int32_t* low, int32_t* age)
{
    for (int s = 0; s < series; ++s) {
        const int32_t* p = price + (long)s * days;
        Extreme<Lower> top(p);
        Extreme<Higher> bottom(p);
        for (int d = 0; d < days; ++d) {
            top.push(d, window);
            bottom.push(d, window);
            const long at = (long)s * days + d;
            high[at] = p[top.day()];
            low[at] = p[bottom.day()];
            age[at] = d - top.day();
        }
    }
}
