// Orbits: one satellite a thread, a launch a step, the state in global memory.
#include <cuda_runtime.h>

constexpr double kMu = 398600.4418, kRadius = 6378.137, kJ2 = 1.08262668e-3;

__device__ void derivative(const double* s, double* d) {
    const double x = s[0], y = s[1], z = s[2], r2 = x * x + y * y + z * z, r = sqrt(r2);
    const double central = -kMu / (r2 * r), flat = 1.5 * kJ2 * kMu * kRadius * kRadius / (r2 * r2 * r), ratio = 5.0 * z * z / r2;
    for (int i = 0; i < 3; ++i) {
        d[i] = s[3 + i];
        d[3 + i] = s[i] * (central + flat * (ratio - (i < 2 ? 1 : 3)));
    }
}

__global__ void step(int satellites, double dt, double* place, double* speed) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= satellites) return;
    double s[6], at[6], d[6], sum[6] = {};
    for (int i = 0; i < 3; ++i) {
        s[i] = place[3 * (size_t)k + i];
        s[3 + i] = speed[3 * (size_t)k + i];
    }
    for (int i = 0; i < 6; ++i) at[i] = s[i];
    for (int stage = 0; stage < 4; ++stage) {
        derivative(at, d);
        for (int i = 0; i < 6; ++i) {
            sum[i] += (stage == 0 || stage == 3 ? 1 : 2) * d[i];
            at[i] = s[i] + (stage == 2 ? dt : dt / 2) * d[i];
        }
    }
    for (int i = 0; i < 3; ++i) {
        place[3 * (size_t)k + i] = s[i] + dt / 6 * sum[i];
        speed[3 * (size_t)k + i] = s[3 + i] + dt / 6 * sum[3 + i];
    }
}

extern "C" void orbit_fleet(int satellites, int steps, double dt, double* place, double* speed) {
    for (int n = 0; n < steps; ++n) step<<<(satellites + 127) / 128, 128>>>(satellites, dt, place, speed);
}
