#include <algorithm>
#include <cstdint>

class History {
public:
    History(int days, const int32_t* close, const uint8_t* split, const int32_t* dividend) : days_(days), close_(close), split_(split), dividend_(dividend) {}

    double factor(int day) const
    {
        const int before = day > 0 ? close_[day - 1] : 0;
        const double paid = before > dividend_[day] ? 1.0 - (double)dividend_[day] / before : 1.0;
        return paid / split_[day];
    }

    void adjust(double* adjusted) const
    {
        double by = 1;
        for (int d = days_ - 1; d >= 0; --d) {
            adjusted[d] = close_[d] * by;
            by *= factor(d);
        }
    }

private:
    int days_;
    const int32_t* close_;
    const uint8_t* split_;
    const int32_t* dividend_;
};

void adjusted_prices(int shares, int days, const int32_t* close, const uint8_t* split, const int32_t* dividend, double* adjusted, double* best)
{
    for (int s = 0; s < shares; ++s) {
        const long at = (long)s * days;
        History(days, close + at, split + at, dividend + at).adjust(adjusted + at);
        best[s] = 0;
        for (int d = 1; d < days; ++d)
            if (adjusted[at + d - 1] > 0) best[s] = std::max(best[s], adjusted[at + d] / adjusted[at + d - 1]);
    }
}
