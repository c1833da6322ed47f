// Pair distances: a thread has one particle and all those after it, every pair an atomic in global memory.
#include <cuda_runtime.h>

#include <cstdint>

struct Particle {
    int16_t x, y, z;
};

constexpr int kThreads = 256;
constexpr int kReach = 512;

__device__ int nearest_image(int difference) { return ((difference + 512) & 1023) - 512; }

__device__ int distance(const Particle& a, const Particle& b) {
    const int dx = nearest_image(a.x - b.x), dy = nearest_image(a.y - b.y), dz = nearest_image(a.z - b.z);
    return (int)sqrtf((float)(dx * dx + dy * dy + dz * dz));
}

__global__ void count(int n, const Particle* particle, uint32_t* pairs) {
    const int i = blockIdx.x * kThreads + threadIdx.x;
    const Particle* frame = particle + (size_t)blockIdx.y * n;
    if (i >= n) return;
    const Particle own = frame[i];
    for (int j = i + 1; j < n; ++j) {
        const int k = distance(own, frame[j]);
        if (k < kReach) atomicAdd(&pairs[(size_t)blockIdx.y * kReach + k], 1u);
    }
}

extern "C" void radial_distribution(int frames, int n, const Particle* particle, uint32_t* pairs) {
    cudaMemsetAsync(pairs, 0, (size_t)frames * kReach * sizeof(uint32_t));
    count<<<dim3((n - 1) / kThreads + 1, frames), kThreads>>>(n, particle, pairs);
}
