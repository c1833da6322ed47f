// Kalman tracks: covariances go through shared memory, so that global accesses are side by side.
#include <cuda_runtime.h>

#include <cstdint>

__device__ void track(int i, double dt, double q, double r, const double* measured, const uint8_t* heard, double* place, double* speed,
                      double* c, int32_t* lost);

__global__ void update(int tracks, double dt, double q, double r, const double* __restrict__ measured, const uint8_t* __restrict__ heard,
                       double* __restrict__ place, double* __restrict__ speed, double* __restrict__ cov, int32_t* __restrict__ lost) {
    __shared__ double staged[3 * 256];
    const size_t first = 3 * (size_t)blockIdx.x * 256, end = 3 * (size_t)tracks;
    for (int k = threadIdx.x; k < 3 * 256; k += 256)
        if (first + k < end) staged[k] = cov[first + k];
    __syncthreads();
    const int i = blockIdx.x * 256 + threadIdx.x;
    double* c = staged + 3 * threadIdx.x;
    if (i < tracks) track(i, dt, q, r, measured, heard, place, speed, c, lost);
    __syncthreads();
    for (int k = threadIdx.x; k < 3 * 256; k += 256)
        if (first + k < end) cov[first + k] = staged[k];
}

__device__ void track(int i, double dt, double q, double r, const double* measured, const uint8_t* heard, double* place, double* speed,
                      double* c, int32_t* lost) {
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
