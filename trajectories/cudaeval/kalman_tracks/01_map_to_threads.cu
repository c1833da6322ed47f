// Kalman tracks: two kernels, predict and correct, one track a thread.
#include <cuda_runtime.h>

#include <cstdint>

__global__ void predict(int tracks, double dt, double q, double* place, double* speed, double* cov) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tracks) return;
    double* c = cov + 3 * (size_t)i;
    place[i] += speed[i] * dt;
    c[0] += dt * (2 * c[1] + dt * c[2]) + q * dt * dt * dt / 3;
    c[1] += dt * c[2] + q * dt * dt / 2;
    c[2] += q * dt;
}

__global__ void correct(int tracks, double r, const double* measured, const uint8_t* heard, double* place, double* speed, double* cov,
                        int32_t* lost) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= tracks) return;
    double* c = cov + 3 * (size_t)i;
    const double innovation = measured[i] - place[i], s = c[0] + r;
    if (!heard[i] || innovation * innovation > 9 * s) {
        lost[i] += 1;
        return;
    }
    const double gain_p = c[0] / s, gain_v = c[1] / s;
    place[i] += gain_p * innovation;
    speed[i] += gain_v * innovation;
    c[2] -= gain_v * c[1];
    c[1] *= 1 - gain_p;
    c[0] *= 1 - gain_p;
}

extern "C" void kalman_tracks(int tracks, double dt, double q, double r, const double* measured, const uint8_t* heard, double* place,
                              double* speed, double* cov, int32_t* lost) {
    predict<<<(tracks + 255) / 256, 256>>>(tracks, dt, q, place, speed, cov);
    correct<<<(tracks + 255) / 256, 256>>>(tracks, r, measured, heard, place, speed, cov, lost);
}
