// Independent charged particles in a harmonic trap with a magnetic field along z.
#include <cstddef>

void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    for (int step = 0; step < steps; ++step) {
        for (int i = 0; i < n; ++i) {
            float* p = particles + 6 * (size_t)i;
            float ax = -trap * p[0] + field * p[4];
            float ay = -trap * p[1] - field * p[3];
            float az = -trap * p[2];
            p[3] += dt * ax;
            p[4] += dt * ay;
            p[5] += dt * az;
            p[0] += dt * p[3];
            p[1] += dt * p[4];
            p[2] += dt * p[5];
        }
    }
}
