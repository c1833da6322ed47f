// Positions from Kepler's equation: one body a thread.
#include <cuda_runtime.h>

struct Orbit {
    double axis, ecc, anomaly, motion;
};

constexpr int kThreads = 256;
constexpr double kPi = 3.141592653589793;

__global__ void solve(int n, double date, const Orbit* orbit, double* x, double* y) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const double axis = orbit[i].axis, ecc = orbit[i].ecc;
    double mean = orbit[i].anomaly + orbit[i].motion * date;
    mean -= 2 * kPi * floor(mean / (2 * kPi) + 0.5);
    double E = ecc < 0.8 ? mean : copysign(kPi, mean);
    double step = 1.0;
    for (int round = 0; round < 40 && fabs(step) > 1e-13; ++round) {
        step = (E - ecc * sin(E) - mean) / (1.0 - ecc * cos(E));
        E -= step;
    }
    x[i] = axis * (cos(E) - ecc);
    y[i] = axis * sqrt(1.0 - ecc * ecc) * sin(E);
}

extern "C" void kepler_positions(int n, double date, const Orbit* orbit, double* x, double* y) {
    solve<<<(n - 1) / kThreads + 1, kThreads>>>(n, date, orbit, x, y);
}
