// Photon histories: one photon a thread, every deposit an atomic in global memory.
#include <cuda_runtime.h>

#include <cstdint>

constexpr int kThreads = 128;
constexpr int kThickness = 65536;

__device__ uint32_t first_state(int photon) {
    uint32_t v = (uint32_t)(photon + 1) * 2654435761u + 97u;
    v ^= v >> 15;
    v *= 2246822519u;
    return v ^ v >> 13;
}

__device__ void add(uint64_t* to, int amount) { atomicAdd((unsigned long long*)to, (unsigned long long)amount); }

__global__ void follow(int photons, int bins, const int* path, uint64_t* absorbed, uint64_t* outside) {
    const int p = blockIdx.x * kThreads + threadIdx.x;
    if (p >= photons) return;
    uint32_t state = first_state(p);
    int depth = 0, direction = 256, weight = 4096;
    while (weight > 0) {
        state = state * 1664525u + 1013904223u;
        depth += direction * path[state >> 22] >> 8;
        if (depth < 0 || depth >= kThickness) {
            add(&outside[depth < 0 ? 0 : 1], weight);
            break;
        }
        const int taken = weight < 16 ? weight : weight / 8;
        add(&absorbed[(int64_t)depth * bins / kThickness], taken);
        weight -= taken;
        direction = (int)((state >> 9) % 513) - 256;
    }
}

extern "C" void photon_slab(int photons, int bins, const int* path, uint64_t* absorbed, uint64_t* outside) {
    cudaMemsetAsync(absorbed, 0, bins * sizeof(uint64_t));
    cudaMemsetAsync(outside, 0, 2 * sizeof(uint64_t));
    follow<<<(photons - 1) / kThreads + 1, kThreads>>>(photons, bins, path, absorbed, outside);
}
