#include <cstddef>
#include <vector>

class Ring {
public:
    Ring(int elements, int n, const double* d, double lift) : elements_(elements), n_(n), d_(d), lift_(lift) {}

    // The right side at one point of one element.
    double rate(const std::vector<double>& u, int e, int i) const
    {
        double sum = 0.0;
        for (int j = 0; j < n_; ++j) sum -= d_[i * n_ + j] * at(u, e, j);
        if (i == 0) sum += lift_ * (at(u, (e + elements_ - 1) % elements_, n_ - 1) - at(u, e, 0));
        return sum;
    }

private:
    double at(const std::vector<double>& u, int e, int i) const { return u[(std::size_t)e * n_ + i]; }

    int elements_, n_;
    const double* d_;
    double lift_;
};

void galerkin_sweep(int elements, int n, int steps, double dt, double lift, const double* d, double* u)
{
    const Ring ring(elements, n, d, lift);
    const std::size_t size = (std::size_t)elements * n;
    std::vector<double> own(u, u + size), first(size), second(size);
    for (int s = 0; s < steps; ++s) {
        for (std::size_t k = 0; k < size; ++k) first[k] = own[k] + dt * ring.rate(own, (int)(k / n), (int)(k % n));
        for (std::size_t k = 0; k < size; ++k) second[k] = 0.25 * (3 * own[k] + first[k] + dt * ring.rate(first, (int)(k / n), (int)(k % n)));
        for (std::size_t k = 0; k < size; ++k) u[k] = (own[k] + 2 * second[k] + 2 * dt * ring.rate(second, (int)(k / n), (int)(k % n))) / 3;
        own.assign(u, u + size);
    }
}
