#include <cmath>

struct Orbit {
    double axis;     // semi-major axis
    double ecc;      // eccentricity, below 1
    double anomaly;  // mean anomaly at date 0
    double motion;   // radians a day
};

void kepler_positions(int n, double date, const Orbit* orbit, double* x, double* y) {
    const double two_pi = 6.283185307179586;
    for (int i = 0; i < n; ++i) {
        const Orbit o = orbit[i];
        double mean = o.anomaly + o.motion * date;
        mean -= two_pi * std::floor(mean / two_pi + 0.5);
        double E = o.ecc < 0.8 ? mean : std::copysign(3.141592653589793, mean);
        double step = 1.0;
        int rounds = 0;
        while (std::fabs(step) > 1e-13 && rounds < 40) {
            step = (E - o.ecc * std::sin(E) - mean) / (1.0 - o.ecc * std::cos(E));
            E -= step;
            ++rounds;
        }
        x[i] = o.axis * (std::cos(E) - o.ecc);
        y[i] = o.axis * std::sqrt(1.0 - o.ecc * o.ecc) * std::sin(E);
    }
}
