// Mesh push: one particle a thread, field by field, atomics into the mesh.
#include <cuda_runtime.h>

struct Particle {
    float x, y, u, v;
};

__device__ void locate(float fraction, int side, int& cell, float& upper) {
    const float at = fraction * side;
    cell = min((int)at, side - 1);
    upper = at - cell;
}

__device__ float wrapped(float fraction) { return fraction - floorf(fraction); }

__global__ void push(int side, int particles, float dt, const float* field, const float* charge, Particle* particle, float* rho) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= particles) return;
    Particle p = particle[i];
    int col, row;
    float wx, wy, force[2];
    locate(p.x, side, col, wx);
    locate(p.y, side, row, wy);
    for (int c = 0; c < 2; ++c) {
        const int right = (col + 1) % side, below = (row + 1) % side;
        const float lower = (1 - wx) * field[2 * (row * side + col) + c] + wx * field[2 * (row * side + right) + c];
        const float upper = (1 - wx) * field[2 * (below * side + col) + c] + wx * field[2 * (below * side + right) + c];
        force[c] = (1 - wy) * lower + wy * upper;
    }
    p.u += charge[i] * force[0] * dt;
    p.v += charge[i] * force[1] * dt;
    p.x = wrapped(p.x + p.u * dt / side);
    p.y = wrapped(p.y + p.v * dt / side);
    particle[i] = p;
    locate(p.x, side, col, wx);
    locate(p.y, side, row, wy);
    const int right = (col + 1) % side, below = (row + 1) % side;
    atomicAdd(&rho[row * side + col], charge[i] * (1 - wx) * (1 - wy));
    atomicAdd(&rho[row * side + right], charge[i] * wx * (1 - wy));
    atomicAdd(&rho[below * side + col], charge[i] * (1 - wx) * wy);
    atomicAdd(&rho[below * side + right], charge[i] * wx * wy);
}

extern "C" void mesh_push(int side, int particles, float dt, const float* field, const float* charge, Particle* particle, float* rho) {
    cudaMemsetAsync(rho, 0, sizeof(float) * side * side);
    push<<<(particles + 255) / 256, 256>>>(side, particles, dt, field, charge, particle, rho);
}
