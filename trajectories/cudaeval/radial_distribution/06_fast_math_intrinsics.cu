// Pair distances: half is added to the squared distance, which keeps roots clear of whole numbers, so that a fast root will do.
#include <cuda_runtime.h>

#include <cstdint>

struct Particle {
    int16_t x, y, z;
};

constexpr int kThreads = 256;
constexpr int kReach = 512;

constexpr uint32_t kGuards = 1u << 10 | 1u << 21;  // bits between the fields

__device__ uint32_t pack(const Particle& p) { return (uint32_t)p.x | (uint32_t)p.y << 11 | (uint32_t)p.z << 22; }

// A guard lends what a field borrows; the sign of a 10-bit difference is that of the nearest image.
__device__ int distance(uint32_t guarded, uint32_t b) {
    const uint32_t difference = guarded - b;
    const int dx = (int)(difference << 22) >> 22, dy = (int)(difference << 11) >> 22, dz = (int)difference >> 22;
    const float squared = (float)(dx * dx + dy * dy + dz * dz) + 0.5f;
    return (int)(squared * rsqrtf(squared));  // below 512 off by at most 0.0002, and 0.0004 from the next whole number
}

__global__ void count(int n, const Particle* particle, uint32_t* pairs) {
    if (blockIdx.x > blockIdx.y) return;
    const int i = blockIdx.x * kThreads + threadIdx.x, first = blockIdx.y * kThreads;
    const Particle* frame = particle + (size_t)blockIdx.z * n;
    __shared__ uint32_t counted[kReach];
    __shared__ uint32_t tile[kThreads];
    for (int k = threadIdx.x; k < kReach; k += kThreads) counted[k] = 0;
    if (first + (int)threadIdx.x < n) tile[threadIdx.x] = pack(frame[first + threadIdx.x]);
    __syncthreads();
    const uint32_t own = pack(frame[min(i, n - 1)]) | kGuards;
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
