#include <array>
#include <complex>
#include <cstddef>

using Complex = std::complex<float>;
using Vector = std::array<Complex, 3>;
using Matrix = std::array<Vector, 3>;

static Vector multiply(const Matrix& u, const Vector& v)
{
    Vector out{};
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[r] += Complex(u[r][c].real() * v[c].real() - u[r][c].imag() * v[c].imag(),
                                                      u[r][c].real() * v[c].imag() + u[r][c].imag() * v[c].real());
    return out;
}

static Matrix adjoint(const Matrix& u)
{
    Matrix out;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) out[r][c] = std::conj(u[c][r]);
    return out;
}

void staggered_hop(int side, int depth, const float* link, const float* psi, float* hopped)
{
    const Matrix* u = reinterpret_cast<const Matrix*>(link);
    const Vector* in = reinterpret_cast<const Vector*>(psi);
    Vector* out = reinterpret_cast<Vector*>(hopped);
    const int extent[4] = {side, side, side, depth};
    int x[4];
    size_t site = 0;
    for (x[3] = 0; x[3] < depth; ++x[3])
        for (x[2] = 0; x[2] < side; ++x[2])
            for (x[1] = 0; x[1] < side; ++x[1])
                for (x[0] = 0; x[0] < side; ++x[0], ++site) {
                    out[site] = {};
                    size_t stride = 1;
                    int parity = 0;
                    for (int mu = 0; mu < 4; ++mu) {
                        const size_t up = x[mu] + 1 < extent[mu] ? site + stride : site - stride * x[mu];
                        const size_t down = x[mu] > 0 ? site - stride : site + stride * (extent[mu] - 1);
                        const Vector ahead = multiply(u[4 * site + mu], in[up]), behind = multiply(adjoint(u[4 * down + mu]), in[down]);
                        const float eta = parity % 2 ? -0.5f : 0.5f;
                        for (int c = 0; c < 3; ++c) out[site][c] += eta * (ahead[c] - behind[c]);
                        parity += x[mu];
                        stride *= extent[mu];
                    }
                }
}
