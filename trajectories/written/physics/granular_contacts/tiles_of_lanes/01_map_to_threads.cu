// Contact forces: one thread per grain.
#include <cuda_runtime.h>

__global__ void contacts(int grains, int count, float stiffness, float damping, const float* position,
                         const float* velocity, const float* radius, const int* neighbour, float* force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= grains) return;
    const float x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2];
    const float u = velocity[3 * i], v = velocity[3 * i + 1], w = velocity[3 * i + 2], r = radius[i];
    float tx = 0.0f, ty = 0.0f, tz = 0.0f;
    for (int k = 0; k < count; ++k) {
        int j = neighbour[(size_t)i * count + k];
        if (j < 0) continue;
        float dx = position[3 * j] - x, dy = position[3 * j + 1] - y, dz = position[3 * j + 2] - z;
        float distance = sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        float overlap = r + radius[j] - distance;
        if (overlap <= 0.0f) continue;
        float du = velocity[3 * j] - u, dv = velocity[3 * j + 1] - v, dw = velocity[3 * j + 2] - w;
        float approach = (du * dx + dv * dy + dw * dz) / distance;
        float push = (stiffness * overlap - damping * overlap * approach) / distance;
        tx -= push * dx;
        ty -= push * dy;
        tz -= push * dz;
    }
    force[3 * i] = tx;
    force[3 * i + 1] = ty;
    force[3 * i + 2] = tz;
}

extern "C" void granular_contacts(int grains, int count, float stiffness, float damping, const float* position,
                                  const float* velocity, const float* radius, const int* neighbour, float* force) {
    const int threads = 128;
    contacts<<<(grains - 1) / threads + 1, threads>>>(grains, count, stiffness, damping, position, velocity, radius,
                                                      neighbour, force);
}
