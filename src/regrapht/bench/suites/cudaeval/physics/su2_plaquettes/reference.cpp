#include <cstddef>

struct Su2 {
    float a, b, c, d;
};

inline Su2 operator*(const Su2& p, const Su2& q)
{
    return {p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d, p.a * q.b + p.b * q.a + p.c * q.d - p.d * q.c,
            p.a * q.c - p.b * q.d + p.c * q.a + p.d * q.b, p.a * q.d + p.b * q.c - p.c * q.b + p.d * q.a};
}

inline Su2 dagger(const Su2& p) { return {p.a, -p.b, -p.c, -p.d}; }

struct Lattice {
    int side;
    const Su2* links;

    // The site one step along direction mu.
    size_t ahead(size_t site, int mu) const
    {
        size_t stride = 1;
        for (int k = 0; k < mu; ++k) stride *= side;
        const size_t x = site / stride % side;
        return x + 1 == (size_t)side ? site - x * stride : site + stride;
    }
    const Su2& u(size_t site, int mu) const { return links[4 * site + mu]; }
};

void su2_plaquettes(int side, const float* link, float* action)
{
    const Lattice lattice{side, reinterpret_cast<const Su2*>(link)};
    const size_t sites = (size_t)side * side * side * side;
    for (size_t x = 0; x < sites; ++x) {
        float sum = 0.0f;
        for (int mu = 0; mu < 4; ++mu) {
            for (int nu = mu + 1; nu < 4; ++nu) {
                const Su2 up = lattice.u(x, mu) * lattice.u(lattice.ahead(x, mu), nu);
                const Su2 down = lattice.u(x, nu) * lattice.u(lattice.ahead(x, nu), mu);
                sum += 1.0f - (up * dagger(down)).a;
            }
        }
        action[x] = sum;
    }
}
