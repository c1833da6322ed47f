// shape: quote = n
// shape: out = n
// check: n=1; n=33; n=200
// random: n=1..400
#include <cmath>

namespace pricing {

static double cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

static double call(double vol) {
    const double d = 0.5 * vol;
    return 100.0 * (cdf(d) - cdf(-d));
}

void implied_volatility(const double* quote, double* out, int n) {
    for (int i = 0; i < n; ++i) {
        const double target = 20.0 + 10.0 * quote[i];
        double low = 1e-4, high = 4.0;
        int it = 0;
        do {
            const double mid = 0.5 * (low + high);
            if (call(mid) < target)
                low = mid;
            else
                high = mid;
            ++it;
        } while (high - low > 1e-7 && it < 80);
        out[i] = 0.5 * (low + high);
    }
}

}  // namespace pricing

using pricing::implied_volatility;
