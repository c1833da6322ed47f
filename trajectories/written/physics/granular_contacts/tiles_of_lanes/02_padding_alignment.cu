// Contact forces: grains packed into one 32-byte sector each, one thread per grain.
#include <cuda_runtime.h>

struct __align__(16) Grain {
    float4 place;   // position and radius
    float4 motion;  // velocity
};

__global__ void pack(int grains, const float* position, const float* velocity, const float* radius, Grain* packed) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= grains) return;
    packed[i].place = make_float4(position[3 * i], position[3 * i + 1], position[3 * i + 2], radius[i]);
    packed[i].motion = make_float4(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2], 0.0f);
}

__global__ void contacts(int grains, int count, float stiffness, float damping, const Grain* packed,
                         const int* neighbour, float* force) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= grains) return;
    const float4 own = packed[i].place, moving = packed[i].motion;
    float tx = 0.0f, ty = 0.0f, tz = 0.0f;
    for (int k = 0; k < count; ++k) {
        int j = neighbour[(size_t)i * count + k];
        if (j < 0) continue;
        const float4 place = packed[j].place, motion = packed[j].motion;
        float dx = place.x - own.x, dy = place.y - own.y, dz = place.z - own.z;
        float distance = sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
        float overlap = own.w + place.w - distance;
        if (overlap <= 0.0f) continue;
        float du = motion.x - moving.x, dv = motion.y - moving.y, dw = motion.z - moving.z;
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
    const int threads = 128, blocks = (grains - 1) / threads + 1;
    Grain* packed = nullptr;
    cudaMalloc(&packed, (size_t)grains * sizeof(Grain));
    pack<<<blocks, threads>>>(grains, position, velocity, radius, packed);
    contacts<<<blocks, threads>>>(grains, count, stiffness, damping, packed, neighbour, force);
    cudaFree(packed);
}
