// Positions from Kepler's equation: Newton in single precision finds the neighbourhood, two steps of third order in double precision
// the digits.
#include <cuda_runtime.h>

struct Orbit {
    double axis, ecc, anomaly, motion;
};

constexpr int kThreads = 256;
constexpr double kPi = 3.141592653589793;

// One step of Halley's method: the number of right digits triples, and one pair of sine and cosine serves three derivatives.
__device__ double refine(double E, double ecc, double mean) {
    double s, c;
    sincos(E, &s, &c);
    const double f = E - ecc * s - mean, slope = 1.0 - ecc * c;
    return E - f / (slope - 0.5 * f * (ecc * s) / slope);
}

__global__ void solve(int n, double date, const Orbit* orbit, double* x, double* y) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    const double axis = orbit[i].axis, ecc = orbit[i].ecc;
    double mean = orbit[i].anomaly + orbit[i].motion * date;
    mean -= 2 * kPi * floor(mean / (2 * kPi) + 0.5);

    const float e = (float)ecc, m = (float)mean;
    float rough = e < 0.8f ? m : copysignf((float)kPi, m);
    float step = 1.0f;
    for (int round = 0; round < 20 && fabsf(step) > 1e-5f; ++round) {
        float s, c;
        sincosf(rough, &s, &c);
        step = (rough - e * s - m) / (1.0f - e * c);
        rough -= step;
    }
    const double E = refine(refine(rough, ecc, mean), ecc, mean);
    double s, c;
    sincos(E, &s, &c);
    x[i] = axis * (c - ecc);
    y[i] = axis * sqrt(1.0 - ecc * ecc) * s;
}

extern "C" void kepler_positions(int n, double date, const Orbit* orbit, double* x, double* y) {
    solve<<<(n - 1) / kThreads + 1, kThreads>>>(n, date, orbit, x, y);
}
