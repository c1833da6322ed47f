// Kalman tracks: one kernel, the predicted track stays in registers.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void update(int tracks, double dt, double q, double r, const double* __restrict__ measured, const uint8_t* __restrict__ heard,
                       double* __restrict__ place, double* __restrict__ speed, double* __restrict__ cov, int32_t* __restrict__ lost) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tracks) return;
    double* c = cov + 3 * (size_t)i;
    double p = place[i], v = speed[i], pp = c[0], pv = c[1], vv = c[2];
    p += v * dt;
    pp += dt * (2 * pv + dt * vv) + q * dt * dt * dt / 3;
    pv += dt * vv + q * dt * dt / 2;
    vv += q * dt;
    const double innovation = measured[i] - p, s = pp + r;
    if (heard[i] && innovation * innovation <= 9 * s) {
        const double gain_p = pp / s, gain_v = pv / s;
        p += gain_p * innovation;
        v += gain_v * innovation;
        vv -= gain_v * pv;
        pv *= 1 - gain_p;
        pp *= 1 - gain_p;
    } else {
        lost[i] += 1;
    }
    place[i] = p;
    speed[i] = v;
    c[0] = pp;
    c[1] = pv;
    c[2] = vv;
}

extern "C" void kalman_tracks(int tracks, double dt, double q, double r, const double* measured, const uint8_t* heard, double* place,
                              double* speed, double* cov, int32_t* lost) {
    update<<<(tracks + 255) / 256, 256>>>(tracks, dt, q, r, measured, heard, place, speed, cov, lost);
}
