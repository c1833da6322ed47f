// shape: x = n
// shape: w = n
// shape: out = 10
// check: n=1; n=2; n=17; n=1000
// one thread: 13
// random: n=1..300
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

void statistics_ranges(const double* x, const double* w, double* out, int n) {
    const auto [low, high] = std::minmax_element(x, x + n);
    out[0] = *low;
    out[1] = *high;
    out[2] = high - x;
    out[3] = low - x;
    out[4] = std::transform_reduce(x, x + n, 0.0, std::plus<>{}, [](double v) { return v * v; });
    out[5] = std::transform_reduce(x, x + n, w, 0.0);
    out[6] = std::transform_reduce(x, x + n, w, 1.0, std::plus<double>(), [](double a, double b) { return (a - b) * (a - b); });
    out[7] = std::inner_product(x, x + n, w, 0.0, std::plus<>(), std::multiplies<>());
    out[8] = std::transform_reduce(x, x + n, 0, [](int a, int b) { return a + b; }, [](double v) { return v > 0.5 ? 1 : 0; });
    out[9] = std::reduce(w, w + n) / n;
}
