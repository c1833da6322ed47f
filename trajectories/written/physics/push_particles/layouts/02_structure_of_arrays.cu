// Particles in a trap; the records are split into six arrays so that every access of a warp is contiguous.
#include <cuda_runtime.h>

constexpr int kThreads = 256;
constexpr int kFields = 6;  // x, y, z, vx, vy, vz

// Field f of particle i lies at fields[f * n + i].
__global__ void split(int n, const float* particles, float* fields) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    for (int f = 0; f < kFields; ++f) fields[(size_t)f * n + i] = particles[kFields * (size_t)i + f];
}

__global__ void join(int n, const float* fields, float* particles) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    for (int f = 0; f < kFields; ++f) particles[kFields * (size_t)i + f] = fields[(size_t)f * n + i];
}

__global__ void push(int n, float dt, float trap, float field, float* fields) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= n) return;
    float s[kFields];
    for (int f = 0; f < kFields; ++f) s[f] = fields[(size_t)f * n + i];
    float ax = -trap * s[0] + field * s[4];
    float ay = -trap * s[1] - field * s[3];
    float az = -trap * s[2];
    s[3] += dt * ax;
    s[4] += dt * ay;
    s[5] += dt * az;
    s[0] += dt * s[3];
    s[1] += dt * s[4];
    s[2] += dt * s[5];
    for (int f = 0; f < kFields; ++f) fields[(size_t)f * n + i] = s[f];
}

extern "C" void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    const int blocks = (n - 1) / kThreads + 1;
    float* fields = nullptr;
    cudaMalloc(&fields, (size_t)n * kFields * sizeof(float));
    split<<<blocks, kThreads>>>(n, particles, fields);
    for (int step = 0; step < steps; ++step) push<<<blocks, kThreads>>>(n, dt, trap, field, fields);
    join<<<blocks, kThreads>>>(n, fields, particles);
    cudaFree(fields);
}
