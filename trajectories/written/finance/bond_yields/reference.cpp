// Yields to maturity by Newton's method on the discounted payments.

void bond_yields(int bonds, const int* periods, const double* coupon, const double* price, double* yield) {
    for (int b = 0; b < bonds; ++b) {
        double y = coupon[b] / 100.0;
        for (int step = 0; step < 12; ++step) {
            const double v = 1.0 / (1.0 + y);
            double discount = 1.0, value = 0.0, slope = 0.0;
            for (int k = 1; k <= periods[b]; ++k) {
                const double payment = k == periods[b] ? coupon[b] + 100.0 : coupon[b];
                discount *= v;
                value += payment * discount;
                slope -= k * payment * discount * v;
            }
            y -= (value - price[b]) / slope;
        }
        yield[b] = y;
    }
}
