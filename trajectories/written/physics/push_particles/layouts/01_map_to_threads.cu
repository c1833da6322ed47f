// Particles in a trap, one launch per time step, one thread per particle.
#include <cuda_runtime.h>

__global__ void push(int n, float dt, float trap, float field, float* particles) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float* p = particles + 6 * (size_t)i;
    float ax = -trap * p[0] + field * p[4];
    float ay = -trap * p[1] - field * p[3];
    float az = -trap * p[2];
    p[3] += dt * ax;
    p[4] += dt * ay;
    p[5] += dt * az;
    p[0] += dt * p[3];
    p[1] += dt * p[4];
    p[2] += dt * p[5];
}

extern "C" void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    const int threads = 256;
    const int blocks = (n - 1) / threads + 1;
    for (int step = 0; step < steps; ++step) push<<<blocks, threads>>>(n, dt, trap, field, particles);
}
