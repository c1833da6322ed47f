#include <cmath>
#include <utility>
#include <vector>

class Elimination {
public:
    Elimination(const double* entries, int n, double shift) : n_(n), rows_(n)
    {
        for (int r = 0; r < n; ++r) {
            rows_[r].assign(entries + r * n, entries + (r + 1) * n);
            rows_[r][r] += shift;
        }
    }

    std::pair<int, double> determinant()
    {
        int sign = 1;
        double log_size = 0;
        for (int k = 0; k < n_; ++k) {
            int best = k;
            for (int r = k + 1; r < n_; ++r)
                if (std::fabs(rows_[r][k]) > std::fabs(rows_[best][k])) best = r;
            if (best != k) {
                std::swap(rows_[best], rows_[k]);
                sign = -sign;
            }
            const double pivot = rows_[k][k];
            if (pivot < 0) sign = -sign;
            log_size += std::log(std::fabs(pivot));
            for (int r = k + 1; r < n_; ++r) {
                const double by = rows_[r][k] / pivot;
                for (int c = k + 1; c < n_; ++c) rows_[r][c] -= by * rows_[k][c];
            }
        }
        return {sign, log_size};
    }

private:
    int n_;
    std::vector<std::vector<double>> rows_;
};

void lu_determinants(int count, int n, double shift, const double* matrices, int* sign, double* log_size)
{
    for (int i = 0; i < count; ++i) {
        const auto [s, l] = Elimination(matrices + (long)i * n * n, n, shift).determinant();
        sign[i] = s;
        log_size[i] = l;
    }
}
