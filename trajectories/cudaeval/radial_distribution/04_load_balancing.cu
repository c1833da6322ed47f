// Pair distances: a block has one pair of tiles, so that all blocks but those on the diagonal have the same work.
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
    if (blockIdx.x > blockIdx.y) return;
    const int i = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kThreads;
    const Particle* frame = particle + (size_t)blockIdx.z * n;
    __shared__ uint32_t counted[kReach];
    __shared__ Particle tile[kThreads];
    for (int k = threadIdx.x; k < kReach; k += kThreads) counted[k] = 0;
    if (first + (int)threadIdx.x < n) tile[threadIdx.x] = frame[first + threadIdx.x];
    __syncthreads();
    const Particle own = frame[min(i, n - 1)];
    for (int j = max(0, i + 1 - first); j < min(kThreads, n - first); ++j) {
        const int k = distance(own, tile[j]);
        if (k < kReach) atomicAdd(&counted[k], 1u);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < kReach; k += kThreads) {
        if (counted[k] > 0) atomicAdd(&pairs[(size_t)blockIdx.z * kReach + k], counted[k]);
    }
}

extern "C" void radial_distribution(int frames, int n, const Particle* particle, uint32_t* pairs) {
    cudaMemsetAsync(pairs, 0, (size_t)frames * kReach * sizeof(uint32_t));
    const int tiles = (n - 1) / kThreads + 1;
    count<<<dim3(tiles, tiles, frames), kThreads>>>(n, particle, pairs);
}
