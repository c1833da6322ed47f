#include <cmath>

// American puts on a binomial tree of 64 steps, worked backwards from the leaves in a local array; one year, 3 % interest.
static const int STEPS = 64;

void american_binomial(int options, const double* spot, const double* strike, const double* sigma, double* value) {
    for (int o = 0; o < options; o++) {
        const double dt = 1.0 / STEPS;
        const double up = exp(sigma[o] * sqrt(dt)), down = 1.0 / up;
        const double grow = exp(0.03 * dt), p = (grow - down) / (up - down);
        double tree[STEPS + 1];
        for (int j = 0; j <= STEPS; j++)
            tree[j] = fmax(strike[o] - spot[o] * pow(up, 2.0 * j - STEPS), 0.0);
        for (int level = STEPS - 1; level >= 0; level--)
            for (int j = 0; j <= level; j++) {
                const double wait = (p * tree[j + 1] + (1.0 - p) * tree[j]) / grow;
                const double exercise = strike[o] - spot[o] * pow(up, 2.0 * j - level);
                tree[j] = wait > exercise ? wait : exercise;
            }
        value[o] = tree[0];
    }
}
