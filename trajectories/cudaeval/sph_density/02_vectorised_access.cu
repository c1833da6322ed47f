// Particle densities: a particle is one 16-byte load where the array is aligned to it.
#include <cuda_runtime.h>

struct Particle {
    float x, y, z, mass;
};

constexpr int kSlots = 16;
constexpr int kThreads = 128;

// The mass is the fourth component.
template <bool kAligned>
__device__ float4 load(const Particle* p) {
    if constexpr (kAligned) return __ldg((const float4*)p);
    return make_float4(p->x, p->y, p->z, p->mass);
}

template <bool kAligned>
__global__ void add_up(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const int slot = blockIdx.x * kThreads + threadIdx.x, cell = slot / kSlots;
    if (cell >= gz * gy * gx) return;
    float sum = 0.0f;
    if (slot % kSlots < count[cell]) {
        const int z = cell / (gy * gx), y = cell / gx % gy, x = cell % gx;
        const float4 own = load<kAligned>(particle + slot);
        for (int n = 0; n < 27; ++n) {
            const int dz = n / 9 - 1, dy = n / 3 % 3 - 1, dx = n % 3 - 1;
            if (z + dz < 0 || z + dz >= gz || y + dy < 0 || y + dy >= gy || x + dx < 0 || x + dx >= gx) continue;
            const int other = ((z + dz) * gy + y + dy) * gx + x + dx;
            for (int k = 0; k < count[other]; ++k) {
                const float4 p = load<kAligned>(particle + other * kSlots + k);
                const float rx = p.x + dx - own.x, ry = p.y + dy - own.y, rz = p.z + dz - own.z;
                const float w = 1.0f - (rx * rx + ry * ry + rz * rz);
                if (w > 0.0f) sum += p.w * w * w * w;
            }
        }
    }
    density[slot] = sum;
}

extern "C" void sph_density(int gz, int gy, int gx, const int* count, const Particle* particle, float* density) {
    const int slots = gz * gy * gx * kSlots;
    const int blocks = (slots - 1) / kThreads + 1;
    if ((size_t)particle % sizeof(float4) == 0)
        add_up<true><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
    else
        add_up<false><<<blocks, kThreads>>>(gz, gy, gx, count, particle, density);
}
