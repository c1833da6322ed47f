// Pair distances: the block goes through the later particles in tiles of 256, which wait in shared memory.
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
    __shared__ uint32_t counted[kReach];
    __shared__ Particle tile[kThreads];
    for (int k = threadIdx.x; k < kReach; k += kThreads) counted[k] = 0;
    __syncthreads();
    const Particle own = frame[min(i, n - 1)];
    for (int first = blockIdx.x * kThreads; first < n; first += kThreads) {
        if (first + (int)threadIdx.x < n) tile[threadIdx.x] = frame[first + threadIdx.x];
        __syncthreads();
        for (int j = max(0, i + 1 - first); j < min(kThreads, n - first); ++j) {
            const int k = distance(own, tile[j]);
            if (k < kReach) atomicAdd(&counted[k], 1u);
        }
        __syncthreads();
    }
    for (int k = threadIdx.x; k < kReach; k += kThreads) {
        if (counted[k] > 0) atomicAdd(&pairs[(size_t)blockIdx.y * kReach + k], counted[k]);
    }
}

extern "C" void radial_distribution(int frames, int n, const Particle* particle, uint32_t* pairs) {
    cudaMemsetAsync(pairs, 0, (size_t)frames * kReach * sizeof(uint32_t));
    count<<<dim3((n - 1) / kThreads + 1, frames), kThreads>>>(n, particle, pairs);
}
