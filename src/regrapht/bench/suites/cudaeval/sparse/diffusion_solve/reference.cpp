#include <cmath>
#include <cstddef>
#include <vector>

namespace {
using Field = std::vector<float>;

// sigma u - div(k grad u) on a grid of cells; nothing passes the rim.
class Diffusion {
public:
    Diffusion(int height, int width, const float* east, const float* south, const float* sigma)
        : height_(height), width_(width), east_(east), south_(south), sigma_(sigma) {}

    float diagonal(int y, int x) const { return sigma_[y * width_ + x] + e(y, x) + e(y, x - 1) + s(y, x) + s(y - 1, x); }

    void apply(const Field& u, Field& result) const {
        for (int y = 0, c = 0; y < height_; ++y) {
            for (int x = 0; x < width_; ++x, ++c) {
                float value = diagonal(y, x) * u[c];
                if (x + 1 < width_) value -= e(y, x) * u[c + 1];
                if (x > 0) value -= e(y, x - 1) * u[c - 1];
                if (y + 1 < height_) value -= s(y, x) * u[c + width_];
                if (y > 0) value -= s(y - 1, x) * u[c - width_];
                result[c] = value;
            }
        }
    }

    void precondition(const Field& r, Field& z) const {
        for (int y = 0, c = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x, ++c) z[c] = r[c] / diagonal(y, x);
    }

private:
    float e(int y, int x) const { return x >= 0 && x + 1 < width_ ? east_[y * width_ + x] : 0.0f; }
    float s(int y, int x) const { return y >= 0 && y + 1 < height_ ? south_[y * width_ + x] : 0.0f; }

    int height_, width_;
    const float *east_, *south_, *sigma_;
};

double inner(const Field& a, const Field& b) {
    double sum = 0.0;
    for (size_t c = 0; c < a.size(); ++c) sum += (double)a[c] * b[c];
    return sum;
}
}  // namespace

void diffusion_solve(int height, int width, int rounds, const float* east, const float* south, const float* sigma, const float* source,
                     float* u) {
    const Diffusion matrix(height, width, east, south, sigma);
    const size_t cells = (size_t)height * width;
    Field r(source, source + cells), z(cells), p(cells, 0.0f), q(cells);
    for (size_t c = 0; c < cells; ++c) u[c] = 0.0f;
    double before = 0.0, first = 0.0;
    for (int round = 0; round < rounds; ++round) {
        matrix.precondition(r, z);
        const double now = inner(r, z);
        if (round == 0) first = now;
        if (now <= 1e-13 * first) break;
        const float keep = round == 0 ? 0.0f : (float)(now / before);
        for (size_t c = 0; c < cells; ++c) p[c] = z[c] + keep * p[c];
        matrix.apply(p, q);
        const float step = (float)(now / inner(p, q));
        for (size_t c = 0; c < cells; ++c) u[c] += step * p[c];
        for (size_t c = 0; c < cells; ++c) r[c] -= step * q[c];
        before = now;
    }
}
