#include <cmath>

// The yield at which each bond's yearly coupons and its face value of 100 are worth its price, by Newton's method.
void bond_yields(int bonds, const double* price, const double* coupon, const int* years, double* yield) {
    for (int b = 0; b < bonds; b++) {
        double y = 0.05, step = 1.0;
        int tries = 0;
        while (std::fabs(step) > 1e-13 && tries++ < 60) {
            double worth = -price[b], slope = 0.0, discount = 1.0;
            for (int t = 1; t <= years[b]; t++) {
                discount /= 1.0 + y;
                const double flow = t == years[b] ? coupon[b] + 100.0 : coupon[b];
                worth += flow * discount;
                slope -= t * flow * discount / (1.0 + y);
            }
            step = worth / slope;
            y -= step;
        }
        yield[b] = y;
    }
}
