// Orbits: one reciprocal root a stage in place of a root and three divisions.
#include <cuda_runtime.h>

constexpr double kMu = 398600.4418, kRadius = 6378.137, kJ2 = 1.08262668e-3;

__device__ void derivative(const double* s, double* d) {
    const double x = s[0], y = s[1], z = s[2], inverse = rsqrt(x * x + y * y + z * z), inverse2 = inverse * inverse;
    const double cubed = kMu * inverse * inverse2, central = -cubed, flat = 1.5 * kJ2 * kRadius * kRadius * cubed * inverse2;
    const double ratio = 5.0 * z * z * inverse2;
#pragma unroll
    for (int i = 0; i < 3; ++i) {
        d[i] = s[3 + i];
        d[3 + i] = s[i] * (central + flat * (ratio - (i < 2 ? 1 : 3)));
    }
}

__global__ void fly(int satellites, int steps, double dt, double* place, double* speed) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= satellites) return;
    double s[6], at[6], d[6], sum[6];
    for (int i = 0; i < 3; ++i) {
        s[i] = place[3 * (size_t)k + i];
        s[3 + i] = speed[3 * (size_t)k + i];
    }
    for (int n = 0; n < steps; ++n) {
#pragma unroll
        for (int i = 0; i < 6; ++i) {
            at[i] = s[i];
            sum[i] = 0.0;
        }
#pragma unroll
        for (int stage = 0; stage < 4; ++stage) {
            derivative(at, d);
#pragma unroll
            for (int i = 0; i < 6; ++i) {
                sum[i] += (stage == 0 || stage == 3 ? 1 : 2) * d[i];
                at[i] = s[i] + (stage == 2 ? dt : dt / 2) * d[i];
            }
        }
#pragma unroll
        for (int i = 0; i < 6; ++i) s[i] += dt / 6 * sum[i];
    }
    for (int i = 0; i < 3; ++i) {
        place[3 * (size_t)k + i] = s[i];
        speed[3 * (size_t)k + i] = s[3 + i];
    }
}

extern "C" void orbit_fleet(int satellites, int steps, double dt, double* place, double* speed) {
    fly<<<(satellites + 127) / 128, 128>>>(satellites, steps, dt, place, speed);
}
