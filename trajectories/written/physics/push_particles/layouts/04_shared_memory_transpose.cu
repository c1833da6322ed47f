// Particles in a trap; all time steps in one kernel, records pass through shared memory for coalesced access.
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
    __shared__ float staged[kThreads * kFields];
    const int t = threadIdx.x;
    const int first = blockIdx.x * kThreads;
    const int floats = min(kThreads, n - first) * kFields;  // of this block's records, which lie together
    float* records = particles + kFields * (size_t)first;

    for (int e = t; e < floats; e += kThreads) staged[e] = records[e];
    __syncthreads();
    if (first + t < n) {
        float state[kFields];
#pragma unroll
        for (int f = 0; f < kFields; ++f) state[f] = staged[kFields * t + f];
        advance(state, steps, dt, trap, field);
#pragma unroll
        for (int f = 0; f < kFields; ++f) staged[kFields * t + f] = state[f];  // a thread's own six places
    }
    __syncthreads();
    for (int e = t; e < floats; e += kThreads) records[e] = staged[e];
}

extern "C" void push_particles(int n, int steps, float dt, float trap, float field, float* particles) {
    push<<<(n - 1) / kThreads + 1, kThreads>>>(n, steps, dt, trap, field, particles);
}
