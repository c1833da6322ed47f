// Cluster: one star a thread; each star's share of the potential by an atomic.
#include <cuda_runtime.h>

__global__ void drift(int stars, double dt, const double* velocity, double* place) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < 3 * stars) place[i] += dt * velocity[i];
}

__global__ void kick(int stars, double dt, double soft, const double* mass, const double* place, double* velocity) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= stars) return;
    double ax = 0, ay = 0, az = 0;
    for (int j = 0; j < stars; ++j) {
        const double x = place[3 * j] - place[3 * i], y = place[3 * j + 1] - place[3 * i + 1], z = place[3 * j + 2] - place[3 * i + 2];
        const double r2 = x * x + y * y + z * z + soft * soft, f = mass[j] / (r2 * sqrt(r2));
        ax += f * x, ay += f * y, az += f * z;
    }
    velocity[3 * i] += dt * ax, velocity[3 * i + 1] += dt * ay, velocity[3 * i + 2] += dt * az;
}

__global__ void measure(int stars, double soft, const double* mass, const double* place, double* potential) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= stars) return;
    double sum = 0;
    for (int j = i + 1; j < stars; ++j) {
        const double x = place[3 * j] - place[3 * i], y = place[3 * j + 1] - place[3 * i + 1], z = place[3 * j + 2] - place[3 * i + 2];
        sum -= mass[i] * mass[j] / sqrt(x * x + y * y + z * z + soft * soft);
    }
    atomicAdd(potential, sum);
}

struct Vec { double x, y, z; };

extern "C" void cluster_kicks(int stars, int steps, double dt, double soft, const double* mass, Vec* place, Vec* velocity, double* potential) {
    double *p = &place->x, *v = &velocity->x;
    for (int s = 0; s < steps; ++s) {
        kick<<<(stars + 63) / 64, 64>>>(stars, dt, soft, mass, p, v);
        drift<<<(3 * stars + 255) / 256, 256>>>(stars, dt, v, p);
    }
    cudaMemsetAsync(potential, 0, sizeof(double));
    measure<<<(stars + 63) / 64, 64>>>(stars, soft, mass, p, potential);
}
