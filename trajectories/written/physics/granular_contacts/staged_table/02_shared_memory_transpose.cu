// Contact forces: one thread per grain, the neighbour table staged in pieces of eight columns.
#include <cuda_runtime.h>

constexpr int kThreads = 128;  // and grains per block
constexpr int kColumns = 8;    // staged at a time
constexpr int kPitch = kColumns + 1;

__global__ void contacts(int grains, int count, float stiffness, float damping, const float* position,
                         const float* velocity, const float* radius, const int* neighbour, float* force) {
    __shared__ int tile[kThreads * kPitch];
    const int first = blockIdx.x * kThreads, i = min(first + (int)threadIdx.x, grains - 1);
    const float x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2];
    const float u = velocity[3 * i], v = velocity[3 * i + 1], w = velocity[3 * i + 2], r = radius[i];
    float tx = 0.0f, ty = 0.0f, tz = 0.0f;
    for (int column = 0; column < count; column += kColumns) {
        __syncthreads();
        for (int e = threadIdx.x; e < kThreads * kColumns; e += kThreads) {
            const int row = e / kColumns, k = e % kColumns;
            const bool there = first + row < grains && column + k < count;
            tile[row * kPitch + k] = there ? neighbour[(size_t)(first + row) * count + column + k] : -1;
        }
        __syncthreads();
        for (int k = 0; k < kColumns; ++k) {
            const int j = tile[threadIdx.x * kPitch + k];
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
    }
    if (first + (int)threadIdx.x >= grains) return;
    force[3 * i] = tx;
    force[3 * i + 1] = ty;
    force[3 * i + 2] = tz;
}

extern "C" void granular_contacts(int grains, int count, float stiffness, float damping, const float* position,
                                  const float* velocity, const float* radius, const int* neighbour, float* force) {
    contacts<<<(grains - 1) / kThreads + 1, kThreads>>>(grains, count, stiffness, damping, position, velocity, radius,
                                                        neighbour, force);
}
