// Mesh push: blocks stay for many particles, and a small mesh is gathered in shared memory before it is added up.
#include <cuda_runtime.h>

struct alignas(16) Particle {
    float x, y, u, v;
};

__device__ void locate(float fraction, int side, int& cell, float& upper) {
    const float at = fraction * side;
    cell = min((int)at, side - 1);
    upper = at - cell;
}

__device__ float wrapped(float fraction) { return fraction - floorf(fraction); }

__device__ void push_one(int i, int side, float dt, const float2* field, const float* charge, Particle* particle, float* rho);

__global__ void push(bool shared_mesh, int side, int particles, float dt, const float2* __restrict__ field, const float* __restrict__ charge,
                     Particle* __restrict__ particle, float* rho) {
    extern __shared__ float own[];
    float* sum = shared_mesh ? own : rho;
    for (int k = threadIdx.x; shared_mesh && k < side * side; k += blockDim.x) own[k] = 0.0f;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < particles; i += gridDim.x * blockDim.x)
        push_one(i, side, dt, field, charge, particle, sum);
    __syncthreads();
    for (int k = threadIdx.x; shared_mesh && k < side * side; k += blockDim.x)
        if (own[k] != 0.0f) atomicAdd(&rho[k], own[k]);
}

__device__ void push_one(int i, int side, float dt, const float2* field, const float* charge, Particle* particle, float* rho) {
    Particle p = particle[i];
    int col, row;
    float wx, wy, force[2];
    locate(p.x, side, col, wx);
    locate(p.y, side, row, wy);
    {
        const int right = col + 1 == side ? 0 : col + 1, below = row + 1 == side ? 0 : row + 1;
        const float2 a = field[row * side + col], b = field[row * side + right], c = field[below * side + col], d = field[below * side + right];
        force[0] = (1 - wy) * ((1 - wx) * a.x + wx * b.x) + wy * ((1 - wx) * c.x + wx * d.x);
        force[1] = (1 - wy) * ((1 - wx) * a.y + wx * b.y) + wy * ((1 - wx) * c.y + wx * d.y);
    }
    const float q = charge[i];
    p.u += q * force[0] * dt;
    p.v += q * force[1] * dt;
    p.x = wrapped(p.x + p.u * dt / side);
    p.y = wrapped(p.y + p.v * dt / side);
    particle[i] = p;
    locate(p.x, side, col, wx);
    locate(p.y, side, row, wy);
    const int right = col + 1 == side ? 0 : col + 1, below = row + 1 == side ? 0 : row + 1;
    atomicAdd(&rho[row * side + col], q * (1 - wx) * (1 - wy));
    atomicAdd(&rho[row * side + right], q * wx * (1 - wy));
    atomicAdd(&rho[below * side + col], q * (1 - wx) * wy);
    atomicAdd(&rho[below * side + right], q * wx * wy);
}

extern "C" void mesh_push(int side, int particles, float dt, const float* field, const float* charge, Particle* particle, float* rho) {
    cudaMemsetAsync(rho, 0, sizeof(float) * side * side);
    const bool fits = side <= 100;
    const int blocks = fits ? min((particles + 255) / 256, 660) : (particles + 255) / 256;
    push<<<blocks, 256, fits ? sizeof(float) * side * side : 0>>>(fits, side, particles, dt, reinterpret_cast<const float2*>(field), charge, particle, rho);
}
