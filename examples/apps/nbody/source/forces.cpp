#include "system.h"

/* Lennard-Jones in reduced units, cut off without a shift.  Each particle sums over the 27 cells around its own, so that every
   pair is visited twice and nothing but its own sums is written to. */
void forces(System& s, const Cells& c)
{
    const double reach2 = s.cutoff * s.cutoff;
    const double box = s.box;
    const int m = c.per_side;
    for (int i = 0; i < s.n; ++i) {
        const double xi = s.x[i], yi = s.y[i], zi = s.z[i];
        const int own = c.cell_of[i];
        const int cx = own % m, cy = (own / m) % m, cz = own / (m * m);
        double ax = 0, ay = 0, az = 0, e = 0;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const int nx = (cx + dx + m) % m;
                    const int ny = (cy + dy + m) % m;
                    const int nz = (cz + dz + m) % m;
                    const int cell = (nz * m + ny) * m + nx;
                    for (int k = c.start[cell]; k < c.start[cell + 1]; ++k) {
                        const int j = c.order[k];
                        if (j == i) continue;
                        double rx = xi - s.x[j], ry = yi - s.y[j], rz = zi - s.z[j];
                        if (rx > 0.5 * box) rx -= box;
                        if (rx < -0.5 * box) rx += box;
                        if (ry > 0.5 * box) ry -= box;
                        if (ry < -0.5 * box) ry += box;
                        if (rz > 0.5 * box) rz -= box;
                        if (rz < -0.5 * box) rz += box;
                        const double r2 = rx * rx + ry * ry + rz * rz;
                        if (r2 >= reach2) continue;
                        const double i2 = 1.0 / r2;
                        const double i6 = i2 * i2 * i2;
                        const double f = 24.0 * i2 * i6 * (2.0 * i6 - 1.0);
                        ax += f * rx;
                        ay += f * ry;
                        az += f * rz;
                        e += 2.0 * i6 * (i6 - 1.0);
                    }
                }
            }
        }
        s.fx[i] = ax;
        s.fy[i] = ay;
        s.fz[i] = az;
        s.energy[i] = e;
    }
}
