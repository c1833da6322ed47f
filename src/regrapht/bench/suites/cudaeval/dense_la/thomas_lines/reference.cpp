#include <cstddef>
#include <vector>

using std::size_t;

void thomas_lines(int systems, int n, const double* low, const double* mid, const double* high, double* rhs, double* mass)
{
    std::vector<double> upper(n);
    for (int s = 0; s < systems; ++s) {
        const auto at = [&](int i) { return (size_t)i * systems + s; };
        for (int i = 0; i < n; ++i) {
            const double below = i ? low[at(i)] : 0.0;
            const double pivot = mid[at(i)] - (i ? below * upper[i - 1] : 0.0);
            upper[i] = i + 1 < n ? high[at(i)] / pivot : 0.0;
            rhs[at(i)] = (rhs[at(i)] - (i ? below * rhs[at(i - 1)] : 0.0)) / pivot;
        }
        double sum = rhs[at(n - 1)];
        for (int i = n - 2; i >= 0; --i) {
            rhs[at(i)] -= upper[i] * rhs[at(i + 1)];
            sum += rhs[at(i)];
        }
        mass[s] = sum;
    }
}
