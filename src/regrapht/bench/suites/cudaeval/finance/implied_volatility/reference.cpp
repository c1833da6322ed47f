#include <cmath>

static double normal(double x) { return 0.5 * std::erfc(-x * 0.7071067811865476); }

static double call(double strike, double years, double volatility) {
    double s = volatility * std::sqrt(years);
    double d = 0.5 * s - std::log(strike) / s;
    return normal(d) - strike * normal(d - s);
}

void implied_volatility(int quotes, const double* strike, const double* years, const double* premium, float* volatility) {
    for (int i = 0; i < quotes; ++i) {
        const double quote = std::fmax(1.0 - strike[i], 0.0) + premium[i];
        double low = 1e-4, high = 4.0;
        while (high - low > 1e-10) {
            double middle = 0.5 * (low + high);
            if (call(strike[i], years[i], middle) < quote) low = middle;
            else high = middle;
        }
        volatility[i] = (float)(0.5 * (low + high));
    }
}
