// Contact forces: staged neighbour table, candidates gathered as one or two 16-byte vectors.
#include <cuda_runtime.h>

constexpr int kThreads = 128;  // and grains per block
constexpr int kColumns = 8;    // staged at a time
constexpr int kPitch = kColumns + 1;

__global__ void pack(int grains, const float* position, const float* velocity, const float* radius, float4* places,
                     float4* motions) {
    int i = blockIdx.x * kThreads + threadIdx.x;
    if (i >= grains) return;
    places[i] = make_float4(position[3 * i], position[3 * i + 1], position[3 * i + 2], radius[i]);
    motions[i] = make_float4(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2], 0.0f);
}

__global__ void contacts(int grains, int count, float stiffness, float damping, const float4* places,
                         const float4* motions, const int* neighbour, float* force) {
    __shared__ int tile[kThreads * kPitch];
    const int first = blockIdx.x * kThreads, i = min(first + (int)threadIdx.x, grains - 1);
    const float4 own = places[i], moving = motions[i];
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
            const float4 place = places[j];
            float dx = place.x - own.x, dy = place.y - own.y, dz = place.z - own.z;
            float distance = sqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
            float overlap = own.w + place.w - distance;
            if (overlap <= 0.0f) continue;
            const float4 motion = motions[j];
            float du = motion.x - moving.x, dv = motion.y - moving.y, dw = motion.z - moving.z;
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
    const int blocks = (grains - 1) / kThreads + 1;
    float4* packed = nullptr;
    cudaMalloc(&packed, 2 * (size_t)grains * sizeof(float4));
    pack<<<blocks, kThreads>>>(grains, position, velocity, radius, packed, packed + grains);
    contacts<<<blocks, kThreads>>>(grains, count, stiffness, damping, packed, packed + grains, neighbour, force);
    cudaFree(packed);
}
