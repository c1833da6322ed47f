#include <math.h>

// Moves bodies under their softened gravity for a number of steps: kick, then drift. Positions and velocities are arrays of their own.
void leapfrog(int n, int steps, float dt, const float* mass, float* x, float* y, float* vx, float* vy)
{
    int step, i, j;
    for (step = 0; step < steps; step++) {
        for (i = 0; i < n; i++) {
            float ax = 0.0f, ay = 0.0f;
            for (j = 0; j < n; j++) {
                float dx = x[j] - x[i], dy = y[j] - y[i];
                float r2 = dx * dx + dy * dy + 0.5f;
                float pull = mass[j] / (r2 * sqrtf(r2));
                ax += pull * dx;
                ay += pull * dy;
            }
            vx[i] += dt * ax;
            vy[i] += dt * ay;
        }
        for (i = 0; i < n; i++) {
            x[i] += dt * vx[i];
            y[i] += dt * vy[i];
        }
    }
}
