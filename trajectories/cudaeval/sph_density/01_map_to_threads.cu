// Particle densities: a thread has one slot and goes through the 27 cells around it.
#include <cuda_runtime.h>

struct Particle {
    float x, y, z, mass;
};

constexpr int kSlots = 16;
constexpr int kThreads = 128;

__global__ void add_up(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const int slot = blockIdx.x * kThreads + threadIdx.x, cell = slot / kSlots;
    if (cell >= gz * gy * gx) return;
    float sum = 0.0f;
    if (slot % kSlots < count[cell]) {
        const int z = cell / (gy * gx), y = cell / gx % gy, x = cell % gx;
        const float px = particle[slot].x, py = particle[slot].y, pz = particle[slot].z;
        for (int n = 0; n < 27; ++n) {
            const int dz = n / 9 - 1, dy = n / 3 % 3 - 1, dx = n % 3 - 1;
            if (z + dz < 0 || z + dz >= gz || y + dy < 0 || y + dy >= gy || x + dx < 0 || x + dx >= gx) continue;
            const int other = ((z + dz) * gy + y + dy) * gx + x + dx;
            for (int k = 0; k < count[other]; ++k) {
                const Particle& p = particle[other * kSlots + k];
                const float rx = p.x + dx - px, ry = p.y + dy - py, rz = p.z + dz - pz, w = 1.0f - (rx * rx + ry * ry + rz * rz);
                if (w > 0.0f) sum += p.mass * w * w * w;
            }
        }
    }
    density[slot] = sum;
}

extern "C" void sph_density(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const int slots = gz * gy * gx * kSlots;
    add_up<<<(slots - 1) / kThreads + 1, kThreads>>>(gz, gy, gx, count, particle, density);
}
