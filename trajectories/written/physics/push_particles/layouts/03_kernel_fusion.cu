// Particles in a trap; all time steps in one kernel, the state of a particle in registers.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kFields = 6;  // x, y, z, vx, vy, vz

__device__ void advance(float (&s)[kFields], int steps, float dt, float trap, float field) {
    for (int step = 0; step < steps; ++step) {
        float ax = -trap * s[0] + field * s[4];
        float ay = -trap * s[1] - field * s[3];
        float az = -trap * s[2];
        s[3] += dt * ax;
        s[4] += dt * ay;
        s[5] += dt * az;
        s[0] += dt * s[3];
        s[1] += dt * s[4];
        s[2] += dt * s[5];
    }
}

__global__ void push(int n, int steps, float dt, float trap, float field, float* particles) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    float* p = particles + kFields * (size_t)i;
    float state[kFields];
#pragma unroll
    for (int f = 0; f < kFields; ++f) state[f] = p[f];
    advance(state, steps, dt, trap, field);
#pragma unroll
    for (int f = 0; f < kFields; ++f) p[f] = state[f];
}

extern "C" void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    push<<<(n - 1) / kThreads + 1, kThreads>>>(n, steps, dt, trap, field, particles);
}
