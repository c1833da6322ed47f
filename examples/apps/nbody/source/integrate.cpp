#include "system.h"

void kick(System& s, double dt)
{
    for (int i = 0; i < s.n; ++i) {
        s.vx[i] += dt * s.fx[i];
        s.vy[i] += dt * s.fy[i];
        s.vz[i] += dt * s.fz[i];
    }
}

void drift(System& s, double dt)
{
    for (int i = 0; i < s.n; ++i) {
        double x = s.x[i] + dt * s.vx[i];
        double y = s.y[i] + dt * s.vy[i];
        double z = s.z[i] + dt * s.vz[i];
        if (x < 0) x += s.box;
        if (x >= s.box) x -= s.box;
        if (y < 0) y += s.box;
        if (y >= s.box) y -= s.box;
        if (z < 0) z += s.box;
        if (z >= s.box) z -= s.box;
        s.x[i] = x;
        s.y[i] = y;
        s.z[i] = z;
    }
}

double kinetic(const System& s)
{
    double sum = 0;
    for (int i = 0; i < s.n; ++i)
        sum += 0.5 * (s.vx[i] * s.vx[i] + s.vy[i] * s.vy[i] + s.vz[i] * s.vz[i]);
    return sum;
}

double potential(const System& s)
{
    double sum = 0;
    for (int i = 0; i < s.n; ++i) sum += s.energy[i];
    return sum;
}
