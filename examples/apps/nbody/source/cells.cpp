#include "system.h"

#include <cmath>

System::System(int count, double length, double reach)
    : n(count), box(length), cutoff(reach),
      x(count), y(count), z(count),
      vx(count), vy(count), vz(count),
      fx(count), fy(count), fz(count),
      energy(count)
{
}

Cells::Cells(const System& s)
    : per_side(static_cast<int>(s.box / s.cutoff)), width(0)
{
    if (per_side < 3) per_side = 3;
    width = s.box / per_side;
    start.resize(count() + 1);
    order.resize(s.n);
    cell_of.resize(s.n);
}

static unsigned long long next(unsigned long long& state)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

void fill_lattice(System& s, unsigned seed)
{
    unsigned long long state = 88172645463325252ull + seed;
    int side = 1;
    while (side * side * side < s.n) ++side;
    const double a = s.box / side;
    for (int i = 0; i < s.n; ++i) {
        const int ix = i % side, iy = (i / side) % side, iz = i / (side * side);
        const double jx = (next(state) >> 11) * (1.0 / 9007199254740992.0) - 0.5;
        const double jy = (next(state) >> 11) * (1.0 / 9007199254740992.0) - 0.5;
        const double jz = (next(state) >> 11) * (1.0 / 9007199254740992.0) - 0.5;
        s.x[i] = (ix + 0.5 + 0.1 * jx) * a;
        s.y[i] = (iy + 0.5 + 0.1 * jy) * a;
        s.z[i] = (iz + 0.5 + 0.1 * jz) * a;
        s.vx[i] = jy;
        s.vy[i] = jz;
        s.vz[i] = jx;
    }
}

void find_cells(const System& s, Cells& c)
{
    for (int i = 0; i < s.n; ++i) {
        int cx = static_cast<int>(s.x[i] / c.width);
        int cy = static_cast<int>(s.y[i] / c.width);
        int cz = static_cast<int>(s.z[i] / c.width);
        if (cx >= c.per_side) cx = c.per_side - 1;
        if (cy >= c.per_side) cy = c.per_side - 1;
        if (cz >= c.per_side) cz = c.per_side - 1;
        c.cell_of[i] = (cz * c.per_side + cy) * c.per_side + cx;
    }
}

/* A counting sort; stable, so that results do not depend on anything else. */
void sort_into_cells(const System& s, Cells& c)
{
    for (int k = 0; k <= c.count(); ++k) c.start[k] = 0;
    for (int i = 0; i < s.n; ++i) ++c.start[c.cell_of[i] + 1];
    for (int k = 0; k < c.count(); ++k) c.start[k + 1] += c.start[k];
    std::vector<int> at(c.start.begin(), c.start.end() - 1);
    for (int i = 0; i < s.n; ++i) c.order[at[c.cell_of[i]]++] = i;
}
