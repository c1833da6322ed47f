#include <cmath>
#include <cstdint>

namespace fixed_income {

struct Bond {
    double coupon, yield;
    int periods;

    double payment(int k) const { return coupon + (k == periods ? 100.0 : 0.0); }
    double discount(int k) const { return std::pow(1.0 + yield / 2, -k); }
};

}  // namespace fixed_income

void bond_ladder(int bonds, const double* coupon, const double* yield, const int32_t* periods, double* price, double* duration, double* convexity,
                 double* buckets)
{
    for (int b = 0; b < 8; ++b) buckets[b] = 0.0;
    for (int i = 0; i < bonds; ++i) {
        const fixed_income::Bond bond{coupon[i], yield[i], periods[i]};
        double value = 0.0, first = 0.0, second = 0.0;
        for (int k = 1; k <= bond.periods; ++k) {
            const double worth = bond.payment(k) * bond.discount(k);
            value += worth;
            first += worth * k / 2;
            second += worth * k * (k + 1) / 4;
        }
        price[i] = value;
        duration[i] = first / value;
        convexity[i] = second / value;
        buckets[bond.periods / 8] += value;
    }
}
